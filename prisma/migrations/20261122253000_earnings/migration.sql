-- CreateTable
CREATE TABLE "earnings" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "seller_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "plan_id" UUID,
    "method" "TransactionMethod" NOT NULL,
    "basis_points" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "paid_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "earnings_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "earning_totals" (
    "account_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "seller_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "earning_totals_pkey" PRIMARY KEY ("account_id","month","seller_id","plan_id")
);

-- CreateIndex
CREATE INDEX "earnings_account_id_paid_at_id_idx" ON "earnings"("account_id", "paid_at", "id");

-- CreateIndex
CREATE INDEX "earnings_account_id_plan_id_paid_at_id_idx" ON "earnings"("account_id", "plan_id", "paid_at", "id");

do $$
declare t text;
begin
  foreach t in array array['earnings', 'earning_totals'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (in_scope(account_id)) with check (in_scope(account_id))', t);
  end loop;
end $$;

-- What was shared before this release. The owner too sees rows only when it names accounts. A sale whose event still
-- waits in the outbox is among them: whoever takes the event finds its earnings written, and counts nothing.
select set_config('app.accounts', '*', true);
insert into "earnings" (account_id, id, seller_id, transaction_id, plan_id, method, basis_points, amount, paid_at)
select s.recipient_id, s.id, s.account_id, s.transaction_id, s.plan_id, t.method, s.basis_points, s.amount, t.paid_at
from "shares" s join "transactions" t on t.account_id = s.account_id and t.id = s.transaction_id
where t.status in ('completed', 'disputed', 'refunded', 'chargedback') and t.paid_at is not null;
insert into "earning_totals" (account_id, month, seller_id, plan_id, number, amount)
select account_id, date_trunc('month', paid_at at time zone 'America/Sao_Paulo')::date, seller_id,
  coalesce(plan_id, '00000000-0000-0000-0000-000000000000'), count(*), sum(amount)
from "earnings" group by 1, 2, 3, 4;
