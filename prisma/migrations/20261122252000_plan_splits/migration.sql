-- CreateEnum
CREATE TYPE "SplitStatus" AS ENUM ('pending', 'accepted', 'rejected', 'cancelled');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "email_confirmed_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "checkout" JSONB,
ADD COLUMN     "plan_id" UUID,
ADD COLUMN     "product_id" UUID;

-- AlterTable
ALTER TABLE "shares" ADD COLUMN     "plan_id" UUID;

-- CreateTable
CREATE TABLE "plan_splits" (
    "id" SERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "basis_points" INTEGER NOT NULL,
    "status" "SplitStatus" NOT NULL DEFAULT 'pending',
    "link_hash" BYTEA NOT NULL,
    "recipient_id" UUID,
    "accepted_by" UUID,
    "accepted_ip" TEXT,
    "terms_version" TEXT,
    "invited_at" TIMESTAMPTZ(6) NOT NULL,
    "accepted_at" TIMESTAMPTZ(6),
    "rejected_at" TIMESTAMPTZ(6),
    "cancelled_at" TIMESTAMPTZ(6),

    CONSTRAINT "plan_splits_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "plan_splits_id_key" ON "plan_splits"("id");

-- CreateIndex
CREATE UNIQUE INDEX "plan_splits_link_hash_key" ON "plan_splits"("link_hash");

-- CreateIndex
CREATE INDEX "plan_splits_account_id_plan_id_id_idx" ON "plan_splits"("account_id", "plan_id", "id");

-- AddForeignKey
ALTER TABLE "plan_splits" ADD CONSTRAINT "plan_splits_account_id_plan_id_fkey" FOREIGN KEY ("account_id", "plan_id") REFERENCES "plans"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

create index "plan_splits_invited" on "plan_splits" ("email", "mode", "id") where "status" = 'pending';
create index "plan_splits_received" on "plan_splits" ("recipient_id", "id") where "recipient_id" is not null;

-- A split is seen by its seller, by the account that answered it, and while it is pending by whoever proved the e-mail,
-- which a transaction names in app.email.
alter table "plan_splits" enable row level security;
alter table "plan_splits" force row level security;
create policy tenant on "plan_splits" using (in_scope(account_id)) with check (in_scope(account_id));
create policy received on "plan_splits" for select using (in_scope(recipient_id));
create policy invited on "plan_splits" for select
  using (status = 'pending' and email = current_setting('app.email', true));
create policy answered on "plan_splits" for update
  using (status = 'pending' and email = current_setting('app.email', true))
  with check (in_scope(recipient_id) and status in ('accepted', 'rejected'));

-- Who shares what is agreed once: an answer changes neither side, nor the plan, nor the percentage.
create trigger terms_stay before update on "plan_splits" for each row
  when ((old.id, old.account_id, old.plan_id, old.mode, old.email, old.basis_points)
    is distinct from (new.id, new.account_id, new.plan_id, new.mode, new.email, new.basis_points))
  execute function refuse_change();

-- What a seller offers by a plan, or who it is where no plan is given, for those who see neither: nothing beyond what the
-- plan's checkout shows to everybody, and the seller's e-mail. Lists call it for each of their rows, so it keeps its plan
-- where their own statements are planned anew.
create function plan_offer(account uuid, plan uuid)
  returns table (number int, name text, amount bigint, periodicity_days int, product text, seller_name text,
    seller_email text) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  scope text := coalesce(current_setting('app.accounts', true), '');
begin
  perform set_config('app.accounts', account::text, true);
  return query
    select p.number, p.name, v.amount, v.periodicity_days, r.name, a.name, a.email
    from accounts a
    left join plans p on p.account_id = a.id and p.id = plan_offer.plan
    left join plan_versions v on v.account_id = p.account_id and v.plan_id = p.id and v.version = p.version
    left join products r on r.account_id = p.account_id and r.id = p.product_id
    where a.id = plan_offer.account;
  perform set_config('app.accounts', scope, true);
end $$;

-- To whom the secret of an invitation's link was sent: whoever has the secret has proved that e-mail.
create function email_of_link(hash bytea) returns text language plpgsql as $$
declare
  scope text := coalesce(current_setting('app.accounts', true), '');
  found text;
begin
  perform set_config('app.accounts', '*', true);
  select email into found from plan_splits where link_hash = hash;
  perform set_config('app.accounts', scope, true);
  return found;
end $$;
