create type "AdjustmentDirection" as enum ('credit', 'debit');

-- Money that the operator moved between what the platform earned and what an account has, and why.
create table adjustments (
  id uuid not null,
  account_id uuid not null,
  direction "AdjustmentDirection" not null,
  amount bigint not null,
  reason text not null,
  created_at timestamptz(6) not null,
  constraint adjustments_pkey primary key (account_id, id)
);
create trigger append_only before update or delete on adjustments for each row execute function refuse_change();

alter table adjustments enable row level security;
alter table adjustments force row level security;
create policy tenant on adjustments using (in_scope(account_id)) with check (in_scope(account_id));
