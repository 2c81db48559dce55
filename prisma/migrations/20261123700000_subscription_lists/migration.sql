-- AlterTable
ALTER TABLE "subscribers" ADD COLUMN     "name_key" TEXT COLLATE "C" GENERATED ALWAYS AS (lower("name")) STORED;

-- DropIndex
DROP INDEX "subscriptions_account_id_status_id_idx";

-- DropIndex
DROP INDEX "subscriptions_account_id_plan_id_status_id_idx";

-- CreateIndex
CREATE INDEX "subscriptions_account_id_plan_id_id_idx" ON "subscriptions"("account_id", "plan_id", "id");

-- Under row-level security only leakproof comparisons use an index: those of enums and `like` are not, ranges of text are.
drop index "subscribers_name";
create index "subscribers_name" on "subscribers" ("account_id", "name_key", "id");
create index "subscriptions_pending" on "subscriptions" ("account_id", "id") where "status" = 'pending_first_payment';
create index "subscriptions_active" on "subscriptions" ("account_id", "id") where "status" = 'active';
create index "subscriptions_overdue" on "subscriptions" ("account_id", "id") where "status" = 'overdue';
create index "subscriptions_suspended" on "subscriptions" ("account_id", "id") where "status" = 'suspended';
create index "subscriptions_cancelled" on "subscriptions" ("account_id", "id") where "status" = 'cancelled';
create index "subscriptions_active_of_plan" on "subscriptions" ("account_id", "plan_id") where "status" = 'active';
create index "subscriptions_owing" on "subscriptions" ("account_id", "overdue_since", "id")
  where "status" in ('overdue', 'suspended') and "cycle_id" is not null;
