-- CreateEnum
CREATE TYPE "SubscriptionStatus" AS ENUM ('pending_first_payment', 'active', 'overdue', 'suspended', 'cancelled');

-- CreateEnum
CREATE TYPE "CycleKind" AS ENUM ('cycle', 'upgrade');

-- CreateEnum
CREATE TYPE "CycleStatus" AS ENUM ('pending', 'paid', 'expired', 'failed', 'refunded');

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "time_zone" TEXT NOT NULL DEFAULT 'America/Sao_Paulo';
ALTER TABLE "accounts" ALTER COLUMN "time_zone" DROP DEFAULT;

-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "cycle_id" UUID,
ADD COLUMN     "subscription_id" UUID;

-- CreateTable
CREATE TABLE "subscribers" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "document" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "phone" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "subscribers_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "subscriber_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "plan_version" INTEGER NOT NULL,
    "product_id" UUID,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "phone" TEXT,
    "status" "SubscriptionStatus" NOT NULL DEFAULT 'pending_first_payment',
    "anchor" DATE,
    "anchor_cycle" INTEGER NOT NULL DEFAULT 1,
    "next_cycle" INTEGER NOT NULL DEFAULT 1,
    "cycle_id" UUID,
    "act_at" TIMESTAMPTZ(6),
    "new_plan_id" UUID,
    "new_plan_version" INTEGER,
    "stored_card_id" UUID,
    "started_at" TIMESTAMPTZ(6),
    "overdue_since" TIMESTAMPTZ(6),
    "suspended_at" TIMESTAMPTZ(6),
    "paused_at" TIMESTAMPTZ(6),
    "resumes_at" TIMESTAMPTZ(6),
    "paid_days_left" INTEGER,
    "ends_at" TIMESTAMPTZ(6),
    "cancelled_at" TIMESTAMPTZ(6),
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "cycles" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "kind" "CycleKind" NOT NULL DEFAULT 'cycle',
    "number" INTEGER NOT NULL,
    "plan_id" UUID NOT NULL,
    "plan_version" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "status" "CycleStatus" NOT NULL DEFAULT 'pending',
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "paid_at" TIMESTAMPTZ(6),
    "transaction_id" UUID,
    "code_id" UUID,
    "charging_id" UUID,
    "retries" INTEGER NOT NULL DEFAULT 0,
    "retry_at" TIMESTAMPTZ(6),
    "reminders" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "cycles_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "waiting_charges" (
    "account_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "waiting_charges_pkey" PRIMARY KEY ("account_id","transaction_id")
);

-- CreateIndex
CREATE INDEX "waiting_charges_created_at_idx" ON "waiting_charges"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "subscribers_account_id_document_key" ON "subscribers"("account_id", "document");

-- CreateIndex
CREATE INDEX "subscriptions_account_id_status_id_idx" ON "subscriptions"("account_id", "status", "id");

-- CreateIndex
CREATE INDEX "subscriptions_account_id_plan_id_status_id_idx" ON "subscriptions"("account_id", "plan_id", "status", "id");

-- CreateIndex
CREATE INDEX "subscriptions_account_id_subscriber_id_id_idx" ON "subscriptions"("account_id", "subscriber_id", "id");

-- CreateIndex
CREATE INDEX "cycles_account_id_subscription_id_number_idx" ON "cycles"("account_id", "subscription_id", "number");

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_subscriber_id_fkey" FOREIGN KEY ("account_id", "subscriber_id") REFERENCES "subscribers"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_plan_id_plan_version_fkey" FOREIGN KEY ("account_id", "plan_id", "plan_version") REFERENCES "plan_versions"("account_id", "plan_id", "version") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "cycles" ADD CONSTRAINT "cycles_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "subscriptions"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Searches look for people, and find their subscriptions from there.
create index "subscribers_email" on "subscribers" ("account_id", "email", "id");
create index "subscribers_name" on "subscribers" ("account_id", lower("name") text_pattern_ops, "id");

-- What is due in real time, and on the clock of an account that runs ahead.
create index "subscriptions_due" on "subscriptions" ("act_at", "id") where "act_at" is not null;
create index "subscriptions_due_of_account" on "subscriptions" ("account_id", "act_at") where "act_at" is not null;

-- A cycle is charged once, paid once, and a subscription has one charge at a time that can be paid.
create unique index "cycles_once" on "cycles" ("account_id", "subscription_id", "number") where "kind" = 'cycle';
create unique index "cycles_pending" on "cycles" ("account_id", "subscription_id") where "status" = 'pending';
create unique index "transactions_cycle_paid" on "transactions" ("account_id", "cycle_id")
  where "cycle_id" is not null and "paid_at" is not null;
create index "transactions_cycle" on "transactions" ("account_id", "cycle_id", "id") where "cycle_id" is not null;

do $$
declare t text;
begin
  foreach t in array array['subscribers', 'subscriptions', 'cycles', 'waiting_charges'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (in_scope(account_id)) with check (in_scope(account_id))', t);
  end loop;
end $$;
