-- A webhook's signing secrets that others took the place of: each is still used until its end.
alter table webhooks add column previous_token_ends_at timestamptz(6);

create table webhook_previous_tokens (
  id uuid not null,
  account_id uuid not null,
  webhook_id integer not null,
  sealed_token bytea not null,
  ends_at timestamptz(6) not null,
  constraint webhook_previous_tokens_pkey primary key (account_id, id),
  constraint webhook_previous_tokens_account_id_webhook_id_fkey foreign key (account_id, webhook_id)
    references webhooks (account_id, id) on delete restrict on update restrict
);
alter table webhook_previous_tokens alter column account_id set (n_distinct = 1);
create index webhook_previous_tokens_account_id_webhook_id_ends_at_idx on webhook_previous_tokens (account_id, webhook_id, ends_at);

alter table webhook_previous_tokens enable row level security;
alter table webhook_previous_tokens force row level security;
create policy tenant on webhook_previous_tokens using (in_scope(account_id)) with check (in_scope(account_id));
