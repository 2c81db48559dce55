-- CreateEnum
CREATE TYPE "MandateStatus" AS ENUM ('created', 'approved', 'rejected', 'expired', 'cancelled');

-- CreateEnum
CREATE TYPE "DebitOrderKind" AS ENUM ('instruct', 'retry', 'cancel', 'cancel_mandate', 'pass_days');

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "mandate_id" UUID;

-- CreateTable
CREATE TABLE "mandates" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_id" TEXT,
    "status" "MandateStatus" NOT NULL DEFAULT 'created',
    "cancelled_by" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "mandates_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "debit_orders" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "DebitOrderKind" NOT NULL,
    "day" TEXT,
    "ask_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "debit_orders_pkey" PRIMARY KEY ("account_id","id","kind")
);

-- CreateIndex
CREATE UNIQUE INDEX "mandates_provider_provider_id_key" ON "mandates"("provider", "provider_id");

-- CreateIndex
CREATE INDEX "debit_orders_ask_at_idx" ON "debit_orders"("ask_at");

do $$
declare t text;
begin
  foreach t in array array['mandates', 'debit_orders'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (in_scope(account_id)) with check (in_scope(account_id))', t);
  end loop;
end $$;
