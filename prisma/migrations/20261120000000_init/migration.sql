-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Mode" AS ENUM ('live', 'sandbox');

-- CreateEnum
CREATE TYPE "AccountStatus" AS ENUM ('pending', 'approved', 'suspended');

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('owner', 'admin', 'finance', 'developer', 'viewer');

-- CreateEnum
CREATE TYPE "Feature" AS ENUM ('cards', 'refunds', 'recurring', 'cash_out');

-- CreateEnum
CREATE TYPE "TransactionType" AS ENUM ('cash_in', 'card', 'cash_out');

-- CreateEnum
CREATE TYPE "TransactionMethod" AS ENUM ('pix', 'card');

-- CreateEnum
CREATE TYPE "TransactionOrigin" AS ENUM ('api', 'checkout', 'subscription', 'payment_link');

-- CreateEnum
CREATE TYPE "TransactionStatus" AS ENUM ('pending', 'completed', 'refused', 'expired', 'failed', 'disputed', 'refunded', 'chargedback');

-- CreateEnum
CREATE TYPE "DeliveryStatus" AS ENUM ('pending', 'delivered', 'failed', 'exhausted');

-- CreateEnum
CREATE TYPE "DeliveryContract" AS ENUM ('cash', 'event', 'legacy');

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "twin_id" UUID,
    "status" "AccountStatus" NOT NULL DEFAULT 'pending',
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "phone" TEXT,
    "address" JSONB,
    "legal_representative" JSONB,
    "features" "Feature"[],
    "pix_fee_basis_points" INTEGER,
    "pix_fee_fixed" INTEGER NOT NULL DEFAULT 0,
    "pix_fee_minimum" INTEGER NOT NULL DEFAULT 0,
    "clock_offset_ms" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "operator" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "user_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "sandbox_id" UUID NOT NULL,
    "role" "Role" NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id","account_id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "account_id" UUID,
    "ip" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credentials" (
    "client_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "secret_last4" TEXT NOT NULL,
    "api_key_hash" BYTEA NOT NULL,
    "api_key_last4" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("client_id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "hash" BYTEA NOT NULL,
    "account_id" UUID NOT NULL,
    "client_id" UUID NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "transactions" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "type" "TransactionType" NOT NULL,
    "method" "TransactionMethod" NOT NULL,
    "origin" "TransactionOrigin" NOT NULL DEFAULT 'api',
    "status" "TransactionStatus" NOT NULL DEFAULT 'pending',
    "amount" BIGINT NOT NULL,
    "fee" BIGINT NOT NULL,
    "net" BIGINT NOT NULL,
    "shares" JSONB NOT NULL DEFAULT '[]',
    "description" TEXT,
    "external_id" TEXT,
    "client_name" TEXT,
    "client_email" TEXT,
    "client_document" TEXT,
    "client_phone" TEXT,
    "txid" TEXT NOT NULL,
    "pix_code" TEXT,
    "end_to_end_id" TEXT,
    "payer" JSONB,
    "callback" JSONB,
    "legacy" JSONB,
    "late" BOOLEAN NOT NULL DEFAULT false,
    "request_id" UUID,
    "expires_at" TIMESTAMPTZ(6),
    "paid_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "transactions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "data" JSONB NOT NULL,
    "request_id" UUID,
    "occurred_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "payload" JSONB NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_postings" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "source_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_postings_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" BIGSERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "posting_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "ledger_tail" (
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "ledger_tail_pkey" PRIMARY KEY ("account_id","kind","entry_id")
);

-- CreateTable
CREATE TABLE "ledger_snapshots" (
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "folded_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_snapshots_pkey" PRIMARY KEY ("account_id","kind")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER NOT NULL DEFAULT 0,
    "answer" BYTEA,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateTable
CREATE TABLE "request_log" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "error" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "ip" TEXT NOT NULL,
    "client_id" UUID,
    "user_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "request_log_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhooks" (
    "id" SERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "trigger_all_products" BOOLEAN NOT NULL DEFAULT true,
    "products" TEXT[],
    "sealed_token" BYTEA NOT NULL,
    "token_prefix" TEXT NOT NULL,
    "token_last4" TEXT NOT NULL,
    "failures_in_row" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(6),
    "disabled_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "webhook_id" INTEGER,
    "contract" "DeliveryContract" NOT NULL,
    "event" TEXT NOT NULL,
    "event_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "status" "DeliveryStatus" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "delivery_attempts" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "request_body" TEXT,
    "response_status" INTEGER,
    "response_body" TEXT,
    "error" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "rail_callbacks" (
    "provider" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "received_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rail_callbacks_pkey" PRIMARY KEY ("provider","event_id")
);

-- CreateTable
CREATE TABLE "unmatched_receipts" (
    "provider" TEXT NOT NULL,
    "end_to_end_id" TEXT NOT NULL,
    "txid" TEXT,
    "amount" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "unmatched_receipts_pkey" PRIMARY KEY ("provider","end_to_end_id")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "second" BIGINT NOT NULL DEFAULT 0,
    "taken" INTEGER NOT NULL DEFAULT 0,
    "earlier" INTEGER NOT NULL DEFAULT 0,
    "hits" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "simulator_pix" (
    "end_to_end_id" TEXT NOT NULL,
    "txid" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "payer" JSONB NOT NULL,
    "paid_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "notify_at" TIMESTAMPTZ(6) DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "simulator_pix_pkey" PRIMARY KEY ("end_to_end_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "accounts_twin_id_key" ON "accounts"("twin_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "credentials_api_key_hash_key" ON "credentials"("api_key_hash");

-- CreateIndex
CREATE INDEX "credentials_account_id_idx" ON "credentials"("account_id");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "access_tokens_client_id_idx" ON "access_tokens"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "transactions_txid_key" ON "transactions"("txid");

-- CreateIndex
CREATE INDEX "transactions_account_id_status_id_idx" ON "transactions"("account_id", "status", "id");

-- CreateIndex
CREATE INDEX "events_account_id_subject_id_id_idx" ON "events"("account_id", "subject_id", "id");

-- CreateIndex
CREATE INDEX "ledger_postings_account_id_source_id_idx" ON "ledger_postings"("account_id", "source_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_postings_type_source_id_key" ON "ledger_postings"("type", "source_id");

-- CreateIndex
CREATE INDEX "ledger_entries_posting_id_idx" ON "ledger_entries"("posting_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "request_log_created_at_idx" ON "request_log" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "deliveries_account_id_webhook_id_id_idx" ON "deliveries"("account_id", "webhook_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries"("account_id", "event_id", "webhook_id", "contract");

-- CreateIndex
CREATE INDEX "delivery_attempts_created_at_idx" ON "delivery_attempts" USING BRIN ("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_attempts_account_id_delivery_id_attempt_key" ON "delivery_attempts"("account_id", "delivery_id", "attempt");

-- CreateIndex
CREATE INDEX "deliveries_created_at_idx" ON "deliveries" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "rail_callbacks_received_at_idx" ON "rail_callbacks" USING BRIN ("received_at");

-- CreateIndex
CREATE INDEX "simulator_pix_txid_idx" ON "simulator_pix"("txid");

-- CreateIndex
CREATE INDEX "simulator_pix_paid_at_end_to_end_id_idx" ON "simulator_pix"("paid_at", "end_to_end_id");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What a sale is searched by, only where it is known: a new charge has no payer, and often no client.
-- A payment pays one sale. A withdrawal to one of our own codes is told by the same end-to-end id, on its own side.
create unique index "transactions_end_to_end_id" on "transactions" ("end_to_end_id", "type") where "end_to_end_id" is not null;
create index "transactions_client_document" on "transactions" ("account_id", "client_document", "id") where "client_document" is not null;
create index "transactions_client_email" on "transactions" ("account_id", "client_email", "id") where "client_email" is not null;
create index "transactions_external_id" on "transactions" ("account_id", "external_id") where "external_id" is not null;
create index "transactions_paid_at" on "transactions" ("account_id", "paid_at") where "paid_at" is not null;
-- What is still open, for the sweep that expires it; and the few accounts whose clock runs ahead.
create index "accounts_ahead" on "accounts" ("id") where "clock_offset_ms" > 0;
create index "transactions_due" on "transactions" ("expires_at") where "status" = 'pending';

-- What still waits for a webhook, out of all that it was ever sent.
create index "deliveries_open" on "deliveries" ("account_id", "webhook_id", "id") where "status" in ('pending', 'failed');

-- One row a (event, receiver, contract): dispatching an event twice delivers it once.
drop index "deliveries_once";
create unique index "deliveries_once" on "deliveries" ("account_id", "event_id", "webhook_id", "contract") nulls not distinct;
-- Limits are counts of the last minute: losing them in a crash of the database costs nothing, flushing them would.
alter table "rate_limits" set unlogged;
alter table "rate_limits" set (fillfactor = 50);

-- The tenant wall (domain.md section 7): a row is seen and written only by a transaction that named its account.
create function in_scope(account uuid) returns boolean language sql stable parallel safe as $$
  select coalesce(
    current_setting('app.accounts', true) = '*' or strpos(current_setting('app.accounts', true), account::text) > 0,
    false)
$$;

do $$
declare t text;
begin
  foreach t in array array[
    'transactions', 'events', 'ledger_postings', 'ledger_entries', 'ledger_tail', 'ledger_snapshots',
    'idempotency_keys', 'request_log', 'webhooks', 'deliveries', 'delivery_attempts'
  ] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (in_scope(account_id)) with check (in_scope(account_id))', t);
  end loop;
end $$;
alter table "accounts" enable row level security;
alter table "accounts" force row level security;
create policy tenant on "accounts" using (in_scope(id)) with check (in_scope(id));

-- Authentication knows a token before an account: this names the account for the rest of the transaction.
create function account_in_scope(account uuid) returns setof accounts language plpgsql as $$
begin
  perform set_config('app.accounts', account::text, true);
  return query select * from accounts where id = account;
end $$;

-- The ledger is append-only, for every role.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on "ledger_entries" for each row execute function refuse_change();
create trigger append_only before update or delete on "ledger_postings" for each row execute function refuse_change();
create trigger never_truncated before truncate on "ledger_entries" for each statement execute function refuse_change();
create trigger never_truncated before truncate on "ledger_postings" for each statement execute function refuse_change();

-- A sliding minute: never more than `allowed` in any 60 s. Takes up to `wanted` places and says how many it got and, if
-- not all, how many ms to wait. The row lock makes it exact over processes. `taken` counts the second in hand, `hits`
-- holds the seconds before it (second << 20 | count) and `earlier` their sum.
create function take_slots(slot text, allowed int, wanted int, out granted int, out wait_ms int)
language plpgsql as $$
declare
  past bigint[];
  now_s bigint;
  last_s bigint;
  in_hand int;
  before int;
begin
  -- The usual case: not the first of this second, and there is room for all.
  -- The clock is read when the row is held, however long that took.
  update rate_limits set taken = taken + wanted
    where key = slot and second = floor(extract(epoch from clock_timestamp()))
      and earlier + taken + wanted <= allowed;
  if found then
    granted := wanted;
    wait_ms := 0;
    return;
  end if;

  -- Who was never here before costs one write. Again if the row, long unused, was purged between the two.
  loop
    now_s := floor(extract(epoch from clock_timestamp()));
    granted := least(wanted, allowed);
    insert into rate_limits (key, second, taken) values (slot, now_s, granted) on conflict (key) do nothing;
    if found then
      -- The insert may have waited for another that came to nothing.
      last_s := floor(extract(epoch from clock_timestamp()));
      if last_s <> now_s then
        update rate_limits set second = last_s where key = slot;
      end if;
      wait_ms := case when granted = wanted then 0 else 61000 end;
      return;
    end if;
    select second, taken, earlier, hits into last_s, in_hand, before, past from rate_limits where key = slot for update;
    exit when found;
  end loop;
  now_s := floor(extract(epoch from clock_timestamp()));
  if last_s <> now_s then
    if in_hand > 0 then
      past := past || (last_s << 20 | in_hand);
    end if;
    select coalesce(array_agg(h order by h), '{}'), coalesce(sum(h & 1048575), 0) into past, before
      from unnest(past) h where (h >> 20) > now_s - 61;
    in_hand := 0;
  end if;
  granted := greatest(0, least(wanted, allowed - before - in_hand));
  wait_ms := case when granted = wanted then 0
    else greatest(1000, (coalesce(past[1] >> 20, now_s) + 61 - now_s) * 1000) end;
  update rate_limits set second = now_s, taken = in_hand + granted, earlier = before, hits = past,
    updated_at = clock_timestamp() where key = slot;
end $$;

-- The simulated PSP looks for the callbacks it still owes.
create index "simulator_pix_owed" on "simulator_pix" ("notify_at") where "notify_at" is not null;
