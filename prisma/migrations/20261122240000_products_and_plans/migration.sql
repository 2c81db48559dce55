-- CreateEnum
CREATE TYPE "ProductStatus" AS ENUM ('active', 'inactive', 'archived');

-- CreateEnum
CREATE TYPE "PlanStatus" AS ENUM ('active', 'inactive', 'archived');

-- CreateEnum
CREATE TYPE "BillingMethod" AS ENUM ('qr_code', 'pix_automatico', 'credit_card');

-- CreateTable
CREATE TABLE "products" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "status" "ProductStatus" NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "products_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "plans" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "number" SERIAL NOT NULL,
    "product_id" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "status" "PlanStatus" NOT NULL DEFAULT 'active',
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "display_order" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "plan_versions" (
    "account_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "periodicity_days" INTEGER NOT NULL,
    "billing_advance_days" INTEGER NOT NULL,
    "grace_period_days" INTEGER NOT NULL,
    "max_retry_attempts" INTEGER NOT NULL,
    "billing_method" "BillingMethod" NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "plan_versions_pkey" PRIMARY KEY ("account_id","plan_id","version")
);

-- CreateIndex
CREATE UNIQUE INDEX "plans_number_key" ON "plans"("number");

-- CreateIndex
CREATE INDEX "plans_account_id_product_id_display_order_id_idx" ON "plans"("account_id", "product_id", "display_order", "id");

-- AddForeignKey
ALTER TABLE "plans" ADD CONSTRAINT "plans_account_id_product_id_fkey" FOREIGN KEY ("account_id", "product_id") REFERENCES "products"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "plans" ADD CONSTRAINT "plans_account_id_id_version_fkey" FOREIGN KEY ("account_id", "id", "version") REFERENCES "plan_versions"("account_id", "plan_id", "version") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Of the plans of one product, and of those without one, at most one is the default.
create unique index "plans_default" on "plans" ("account_id", "product_id") nulls not distinct where "is_default";

do $$
declare t text;
begin
  foreach t in array array['products', 'plans', 'plan_versions'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (in_scope(account_id)) with check (in_scope(account_id))', t);
  end loop;
end $$;
