-- What the operator's staff write down about a seller's account. The seller does not read it.
create table account_notes (
  account_id uuid not null,
  id uuid not null,
  text text not null,
  written_by uuid not null,
  created_at timestamptz(6) not null default now(),
  primary key (account_id, id)
);
alter table account_notes alter column account_id set (n_distinct = 1);
alter table account_notes enable row level security;
alter table account_notes force row level security;
create policy tenant on account_notes using (in_scope(account_id)) with check (in_scope(account_id));

-- On which days a person of the staff looked at an account's records, so that its history says so once a day.
create table account_looks (
  account_id uuid not null,
  user_id uuid not null,
  day date not null,
  primary key (account_id, user_id, day)
);
alter table account_looks alter column account_id set (n_distinct = 1);
alter table account_looks enable row level security;
alter table account_looks force row level security;
create policy tenant on account_looks using (in_scope(account_id)) with check (in_scope(account_id));
