-- What PSPs have is compared with what we have, both ways; each difference is a row that a person closes.
create table rail_comparisons (
  id uuid not null,
  provider text not null,
  since timestamptz(6) not null,
  until timestamptz(6) not null,
  returns_since timestamptz(6) not null,
  asked_by uuid,
  created_at timestamptz(6) not null default now(),
  started_at timestamptz(6),
  ended_at timestamptz(6),
  attempts int not null default 0,
  figures jsonb,
  failure text,
  constraint rail_comparisons_pkey primary key (id)
);
create index rail_comparisons_created_at on rail_comparisons (created_at);
create unique index rail_comparisons_of_day on rail_comparisons (provider, until) where asked_by is null;
create unique index rail_comparisons_asked on rail_comparisons (provider, since, until) where asked_by is not null and ended_at is null;
create index rail_comparisons_to_make on rail_comparisons (id) where ended_at is null;

create type "DifferenceStatus" as enum ('open', 'closed', 'resolved');

create table reconcile_differences (
  account_id uuid not null,
  id uuid not null,
  status "DifferenceStatus" not null default 'open',
  provider text not null,
  kind text not null,
  record_id text not null,
  parent_id text,
  fault text not null,
  their_amount bigint,
  our_amount bigint,
  their_state text,
  our_state text,
  of_account_id uuid,
  happened_at timestamptz(6) not null,
  first_seen_at timestamptz(6) not null,
  last_seen_at timestamptz(6) not null,
  closed_by uuid,
  reason text,
  closed_at timestamptz(6),
  created_at timestamptz(6) not null default now(),
  updated_at timestamptz(6) not null,
  constraint reconcile_differences_pkey primary key (account_id, id)
);
create unique index reconcile_differences_once on reconcile_differences (account_id, provider, kind, record_id);

-- A list has a status, which is the condition of an index, because row-level security compares no enum.
create index reconcile_differences_open on reconcile_differences (account_id, id) where status = 'open';
create index reconcile_differences_closed on reconcile_differences (account_id, id) where status = 'closed';
create index reconcile_differences_resolved on reconcile_differences (account_id, id) where status = 'resolved';

alter table reconcile_differences alter column account_id set (n_distinct = 1);
alter table reconcile_differences enable row level security;
alter table reconcile_differences force row level security;
create policy tenant on reconcile_differences using (in_scope(account_id)) with check (in_scope(account_id));
