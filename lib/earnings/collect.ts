import type { Consumer, Happened } from "@/lib/events/consume";
import { monthOf } from "@/lib/time/calendar";
import { paid } from "@/lib/transactions/states";
import type { TransactionStatus } from "@/prisma/client/enums";

/** The plan of an earning without one, in the totals' key. */
export const NO_PLAN = "00000000-0000-0000-0000-000000000000";

/** Writes what the recipients of paid sales earned, once for each share, and adds it to their totals by month and plan. */
export const collectEarnings: Consumer = async (query, events) => {
  const sales = events.filter(isPayment).map(({ accountId, subjectId, record }) => {
    const { method, paid_at: paidAt } = record as { method: string; paid_at: string };
    return { seller: accountId, sale: subjectId, method, paid_at: paidAt, month: `${monthOf(new Date(paidAt))}-01` };
  });
  if (sales.length > 0) await query("earnings_collect", COLLECT, [JSON.stringify(sales)]);
};

/** Whether an event is a sale's payment, and not the return of a paid sale to `completed`. */
function isPayment({ subject, data }: Happened): boolean {
  const { status, previous_status: previous } = data as Record<string, TransactionStatus | null | undefined>;
  return subject === "transaction" && status === "completed" && !(previous && paid.includes(previous));
}

/** All callers lock the totals in the order of their keys. */
const COLLECT = `with sale as (
    select * from json_to_recordset($1::json)
      as s(seller uuid, sale uuid, method "TransactionMethod", paid_at timestamptz, month date)
  ), written as (
    insert into earnings (account_id, id, seller_id, transaction_id, plan_id, method, basis_points, amount, paid_at)
    select p.recipient_id, p.id, sale.seller, sale.sale, p.plan_id, sale.method, p.basis_points, p.amount, sale.paid_at
    from sale cross join lateral (select * from shares where transaction_id = sale.sale offset 0) p
    order by 1, 2
    on conflict do nothing
    returning account_id, transaction_id, seller_id, plan_id, amount
  )
  insert into earning_totals as t (account_id, month, seller_id, plan_id, number, amount)
  select w.account_id, sale.month, w.seller_id, coalesce(w.plan_id, '${NO_PLAN}'), count(*), sum(w.amount)
  from written w join sale on sale.sale = w.transaction_id
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (account_id, month, seller_id, plan_id) do update
    set number = t.number + excluded.number, amount = t.amount + excluded.amount`;
