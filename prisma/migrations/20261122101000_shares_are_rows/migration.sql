-- CreateTable
CREATE TABLE "shares" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "recipient_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "basis_points" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "shares_pkey" PRIMARY KEY ("transaction_id","place")
);

-- CreateIndex
CREATE INDEX "shares_recipient_id_transaction_id_idx" ON "shares"("recipient_id", "transaction_id");

-- Carried over as they were agreed. The owner too sees sales only when it names accounts.
select set_config('app.accounts', '*', true);
insert into shares (id, account_id, transaction_id, place, recipient_id, name, basis_points, amount)
select coalesce((s.share ->> 'id')::uuid, gen_random_uuid()), t.account_id, t.id, s.place - 1,
  (s.share ->> 'account_id')::uuid, coalesce(s.share ->> 'name', a.name, ''), (s.share ->> 'percentage')::numeric * 100,
  (s.share ->> 'amount')::bigint
from transactions t
cross join lateral jsonb_array_elements(t.shares) with ordinality as s(share, place)
left join accounts a on a.id = (s.share ->> 'account_id')::uuid
where t.shares <> '[]';

-- AlterTable
ALTER TABLE "transactions" DROP COLUMN "shares";

-- A share is the seller's, and its recipient may read it. Once agreed nobody changes it.
alter table "shares" enable row level security;
alter table "shares" force row level security;
create policy readable on "shares" for select using (in_scope(account_id) or in_scope(recipient_id));
create policy agreed on "shares" for insert with check (in_scope(account_id));
