-- CreateEnum
CREATE TYPE "PaymentLinkStatus" AS ENUM ('active', 'inactive');

-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "delivery_address" JSONB,
ADD COLUMN     "payment_link_id" UUID;

-- CreateTable
CREATE TABLE "payment_links" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "product_id" UUID,
    "expires_at" TIMESTAMPTZ(6),
    "max_payments" INTEGER,
    "collect_address" BOOLEAN NOT NULL DEFAULT false,
    "status" "PaymentLinkStatus" NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "payment_links_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "payment_links_id_key" ON "payment_links"("id");

-- CreateIndex
CREATE UNIQUE INDEX "plans_id_key" ON "plans"("id");

-- AddForeignKey
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_account_id_product_id_fkey" FOREIGN KEY ("account_id", "product_id") REFERENCES "products"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- The payments of a link, to be counted by status and listed; sales of anything else are not in it.
create index "transactions_of_links" on "transactions" ("account_id", "payment_link_id", "status", "id")
  where "payment_link_id" is not null;

alter table "payment_links" enable row level security;
alter table "payment_links" force row level security;
create policy tenant on "payment_links" using (in_scope(account_id)) with check (in_scope(account_id));

-- Whose checkout a token opens: that of a payment link or of a plan. It leaves that account in scope, or none.
create function checkout_in_scope(token uuid) returns uuid language plpgsql as $$
declare
  owner uuid;
begin
  perform set_config('app.accounts', '*', true);
  select account_id into owner from payment_links where id = token;
  if owner is null then
    select account_id into owner from plans where id = token;
  end if;
  perform set_config('app.accounts', coalesce(owner::text, ''), true);
  return owner;
end $$;
