-- What may change by itself, by the provider's own id of it. A callback or the clock wakes a watch, and the provider's record
-- decides. Until now the inbox of callbacks held these too, under made-up event ids.
create table "watches" (
  "provider" text not null,
  "kind" text not null,
  "id" text not null,
  "ask_at" timestamptz(6) default now(),
  "attempts" integer not null default 0,
  "wakes" integer not null default 0,
  "since" timestamptz(6) not null default now(),
  "happened_at" timestamptz(6),
  "ends_at" timestamptz(6),
  "unanswered_since" timestamptz(6),
  constraint "watches_pkey" primary key ("provider", "kind", "id")
);
create index "watches_due" on "watches" ("kind", "provider", "ask_at") where "ask_at" is not null;
create index "watches_given_up" on "watches" ("ends_at") where "ask_at" is null;
create index "watches_unanswered" on "watches" ("unanswered_since") where "unanswered_since" is not null;
-- Most rows live for seconds.
alter table "watches" set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);

-- What waits in the inbox: a watch that we began ourselves has no end, one of a callback ends after a week.
insert into "watches" (provider, kind, id, ask_at, attempts, since, happened_at, ends_at, unanswered_since)
select provider, kind, id, min(ask_at), min(attempts), coalesce(max(ask_at) filter (where is_ours), min(received_at)),
  max(paid_at), case when not bool_or(is_ours) then max(received_at) + interval '7 days' end,
  min(received_at) filter (where attempts > 0 and not is_ours)
from (
  select *, case when end_to_end_id is not null then 'payment' when mandate_id is not null then 'mandate' else 'debit' end
      as kind,
    coalesce(end_to_end_id, mandate_id, txid) as id, event_id like 'watch:%' as is_ours
  from "rail_callbacks" where ask_at is not null
) waiting
where id is not null
group by provider, kind, id;

delete from "rail_callbacks"
where event_id like 'watch:%' or event_id like 'asked:%' or coalesce(end_to_end_id, mandate_id, txid) is null;

alter table "rail_callbacks" rename to "callbacks";
alter table "callbacks" rename constraint "rail_callbacks_pkey" to "callbacks_pkey";
alter table "callbacks" add column "kind" text, add column "about_id" text;
update "callbacks" set
  kind = case when end_to_end_id is not null then 'payment' when mandate_id is not null then 'mandate' else 'debit' end,
  about_id = coalesce(end_to_end_id, mandate_id, txid);
alter table "callbacks" alter column "kind" set not null, alter column "about_id" set not null,
  drop column "end_to_end_id", drop column "mandate_id", drop column "txid", drop column "ask_at", drop column "paid_at",
  drop column "attempts";
create index "callbacks_received_at_idx" on "callbacks" ("received_at");
