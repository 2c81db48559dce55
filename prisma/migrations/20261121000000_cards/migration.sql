-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "card_fee_basis_points" INTEGER DEFAULT 399,
ADD COLUMN     "card_fee_fixed" INTEGER NOT NULL DEFAULT 39,
ADD COLUMN     "card_fee_minimum" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "card_settlement_days" INTEGER NOT NULL DEFAULT 30;

-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "card_brand" TEXT,
ADD COLUMN     "card_last4" TEXT,
ADD COLUMN     "installments" INTEGER,
ADD COLUMN     "client_ip" TEXT,
ADD COLUMN     "user_agent" TEXT,
ADD COLUMN     "refused_reason" TEXT,
ADD COLUMN     "settle_at" TIMESTAMPTZ(6),
ADD COLUMN     "settled_at" TIMESTAMPTZ(6),
ALTER COLUMN "txid" DROP NOT NULL;

-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "resource_id" UUID;

-- CreateTable
CREATE TABLE "public_keys" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "public_keys_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "card_domains" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "origin" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_domains_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "card_tokens" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "brand" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "wrapped_key" BYTEA,
    "sealed_card" BYTEA,
    "sealed_cvv" BYTEA,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "spent_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_tokens_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "stored_cards" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "brand" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "sealed_card" BYTEA NOT NULL,
    "document" TEXT NOT NULL,
    "consent" JSONB NOT NULL,
    "consented_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stored_cards_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "card_charges" (
    "account_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "token_id" UUID,
    "acquirer" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "document" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "ip" TEXT NOT NULL,
    "device" JSONB NOT NULL,
    "rule" TEXT,
    "answered_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "card_charges_pkey" PRIMARY KEY ("account_id","transaction_id")
);

-- CreateTable
CREATE TABLE "simulator_charges" (
    "id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "installments" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "refused_reason" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "simulator_charges_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "public_keys_key_key" ON "public_keys"("key");

-- CreateIndex
CREATE UNIQUE INDEX "card_domains_account_id_origin_key" ON "card_domains"("account_id", "origin");

-- CreateIndex
CREATE INDEX "card_tokens_expires_at_idx" ON "card_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "card_tokens_account_id_hash_key" ON "card_tokens"("account_id", "hash");

-- CreateIndex
CREATE INDEX "stored_cards_account_id_fingerprint_idx" ON "stored_cards"("account_id", "fingerprint");

-- CreateIndex
CREATE INDEX "card_charges_account_id_fingerprint_created_at_idx" ON "card_charges"("account_id", "fingerprint", "created_at");

-- CreateIndex
CREATE INDEX "card_charges_account_id_document_created_at_idx" ON "card_charges"("account_id", "document", "created_at");

-- CreateIndex
CREATE INDEX "card_charges_account_id_ip_created_at_idx" ON "card_charges"("account_id", "ip", "created_at");


-- CreateIndex
CREATE INDEX "simulator_charges_created_at_id_idx" ON "simulator_charges"("created_at", "id");

-- CreateIndex
CREATE INDEX "card_charges_created_at_idx" ON "card_charges" USING BRIN ("created_at");

-- The walls, as in the first migration. public_keys and simulator_charges are read before an account is known.
do $$
declare t text;
begin
  foreach t in array array['card_domains', 'card_tokens', 'stored_cards', 'card_charges'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (in_scope(account_id)) with check (in_scope(account_id))', t);
  end loop;
end $$;

-- Tokens that still hold a card, for the sweep that empties them.
create index "card_tokens_to_empty" on "card_tokens" ("expires_at") where "wrapped_key" is not null;

-- Card sales by their last four digits; and those whose money is not available yet, for the sweep that settles them.
create index "transactions_last4" on "transactions" ("account_id", "card_last4", "id") where "card_last4" is not null;
create index "transactions_to_settle" on "transactions" ("settle_at") where "settled_at" is null and "status" = 'completed' and "type" = 'card';
