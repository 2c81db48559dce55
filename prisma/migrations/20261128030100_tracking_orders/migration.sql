-- The account's token of the external tracking service, as long as the integration is active.
create table tracking_integrations (
  account_id uuid not null primary key,
  id uuid not null,
  sealed_token bytea not null,
  token_last4 text not null,
  since timestamptz(6) not null default now()
);
alter table tracking_integrations enable row level security;
alter table tracking_integrations force row level security;
create policy tenant on tracking_integrations using (in_scope(account_id)) with check (in_scope(account_id));
alter table tracking_integrations alter column account_id set (n_distinct = 1);

-- What of a sale is sent to it: once for each event. Its body is made of the event when it is sent.
create table tracking_orders (
  account_id uuid not null,
  event_id uuid not null,
  transaction_id uuid not null,
  mode "Mode" not null,
  status text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz(6) default now(),
  claimed_by uuid,
  claimed_until timestamptz(6),
  answer_status integer,
  answer text,
  error text,
  sent_at timestamptz(6),
  created_at timestamptz(6) not null default now(),
  primary key (account_id, event_id)
);
create index tracking_orders_due on tracking_orders (account_id, (greatest(next_attempt_at, claimed_until)))
  where next_attempt_at is not null;
create index tracking_orders_of_sale on tracking_orders (account_id, transaction_id, event_id) where next_attempt_at is not null;
create index tracking_orders_created_at on tracking_orders (created_at);
alter table tracking_orders enable row level security;
alter table tracking_orders force row level security;
create policy tenant on tracking_orders using (in_scope(account_id)) with check (in_scope(account_id));
alter table tracking_orders alter column account_id set (n_distinct = 1);

-- The simulated tracking service's own records: the last of each order, of whoever has the token.
create table simulator_orders (
  token_hash text not null,
  order_id text not null,
  body jsonb not null,
  received integer not null default 1,
  created_at timestamptz(6) not null default now(),
  primary key (token_hash, order_id)
);
create index simulator_orders_created_at on simulator_orders (created_at);
