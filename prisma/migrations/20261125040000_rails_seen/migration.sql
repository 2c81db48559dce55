-- Up to when each Pix rail's payments have been seen, by the rail's clock, so that a look at the rail reaches back over
-- any outage. The first look reaches back 30 days.
create table "rail_looks" (
  "provider" text not null,
  "seen_until" timestamptz(6) not null default (now() - interval '30 days'),
  "look_at" timestamptz(6) not null default now(),
  "look_back_at" timestamptz(6) not null default now(),
  constraint "rail_looks_pkey" primary key ("provider")
);

-- Whoever makes a call has its answer after 8 s at most. One that is older was left behind by a process that died.
alter table "rail_calls" alter column "ask_at" set default (now() + interval '8 seconds');

-- A loop looks at the rails now. Jobs of the timetable that did so have nobody who would run them.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier in ('deposits.poll', 'deposits.poll-days');
  end if;
end $$;
