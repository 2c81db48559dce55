-- A delivery is claimed by a worker for a few seconds at a time: whatever dies, its deliveries are due again soon.
alter table "deliveries" add column "claimed_until" timestamptz(6), add column "claimed_by" uuid;

-- What is planned, by account and receiver (0: a charge's own callback) and by when it is due. A claim walks from receiver
-- to receiver and takes the first of each, so that it costs the same however much waits for one of them.
create index "deliveries_due" on "deliveries"
  ("account_id", (case when "webhook_id" is null then 0 else "webhook_id" end), greatest("next_attempt_at", "claimed_until")) where "next_attempt_at" is not null;

-- What an event says in one contract under one name is the same for every receiver and every attempt: it is kept once.
create table "delivery_bodies" (
  "account_id" uuid not null,
  "event_id" uuid not null,
  "contract" "DeliveryContract" not null,
  "event" text not null,
  "body" text not null,
  "created_at" timestamptz(6) not null default current_timestamp,

  constraint "delivery_bodies_pkey" primary key ("account_id", "event_id", "contract", "event")
);
create index "delivery_bodies_created_at_idx" on "delivery_bodies" using brin ("created_at");
do $$
begin
  perform set_config('app.accounts', '*', true);
  insert into delivery_bodies (account_id, event_id, contract, event, body, created_at)
  select distinct on (d.account_id, d.event_id, d.contract, d.event)
    d.account_id, d.event_id, d.contract, d.event, a.request_body, a.created_at
  from delivery_attempts a join deliveries d on d.account_id = a.account_id and d.id = a.delivery_id
  where a.request_body is not null
  order by d.account_id, d.event_id, d.contract, d.event, a.created_at;
end $$;
alter table "delivery_bodies" enable row level security;
alter table "delivery_bodies" force row level security;
create policy tenant on "delivery_bodies" using (in_scope(account_id)) with check (in_scope(account_id));
alter table "delivery_attempts" drop column "request_body";

-- A webhook that was turned on again while more waits for it than is planned in one transaction; a sweep plans the rest.
alter table "webhooks" add column "waking" boolean not null default false;
create index "webhooks_waking" on "webhooks" ("account_id", "id") where "waking";
do $$
begin
  perform set_config('app.accounts', '*', true);
  update webhooks w set waking = true
  where w.disabled_at is null and w.deleted_at is null and exists (
    select from deliveries d where d.account_id = w.account_id and d.webhook_id = w.id
      and d.status in ('pending', 'failed') and d.next_attempt_at is null
  );
end $$;

-- Ids are numbered within an account from now on: one sequence over all accounts counted everybody's webhooks.
alter table "webhooks" alter column "id" drop default;
drop sequence "webhooks_id_seq";
