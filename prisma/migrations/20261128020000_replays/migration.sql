-- A replay sends the events of a period to a webhook again. A loop plans it in sets (lib/webhooks/replay.ts), after which
-- event is in after_id. At most one is under way of a webhook.
create table webhook_replays (
  account_id uuid not null,
  id uuid not null,
  webhook_id integer not null,
  from_at timestamptz(6) not null,
  to_at timestamptz(6) not null,
  only_failed boolean not null,
  again integer not null,
  missing integer not null,
  is_exact boolean not null,
  planned integer not null default 0,
  after_id uuid not null,
  pace integer not null,
  next_at timestamptz(6) not null,
  is_stopped boolean not null default false,
  created_at timestamptz(6) not null default now(),
  ended_at timestamptz(6),
  constraint webhook_replays_pkey primary key (account_id, id)
);
create unique index webhook_replays_running on webhook_replays (account_id, webhook_id) where ended_at is null;
create index webhook_replays_of_webhook on webhook_replays (account_id, webhook_id, id);
create index webhook_replays_due on webhook_replays (next_at) where ended_at is null;
create index webhook_replays_ended_at_idx on webhook_replays (ended_at);

alter table webhook_replays alter column account_id set (n_distinct = 1);
alter table webhook_replays enable row level security;
alter table webhook_replays force row level security;
create policy tenant on webhook_replays using (in_scope(account_id)) with check (in_scope(account_id));
