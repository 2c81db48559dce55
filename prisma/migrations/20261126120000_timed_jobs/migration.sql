-- What is run at certain times is a row with an instant, as all other work. `attempts` are those since it last succeeded.
create table "timed_jobs" (
  "name" text not null,
  "due_at" timestamptz(6) not null,
  "attempts" integer not null default 0,
  "claimed_by" uuid,
  constraint "timed_jobs_pkey" primary key ("name")
);

create index "timed_jobs_due_at_idx" on "timed_jobs" ("due_at");

-- The queue of graphile-worker ran these jobs before. Its schema belongs to the program's role, of which earlier versions
-- made the owner a member. The jobs that wait in it are lost without harm: none says what to do, because each finds that in
-- our own tables and at the providers, three days back, and is run again at its next time.
drop schema if exists "graphile_worker" cascade;
