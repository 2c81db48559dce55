import type { Row } from "@/lib/database/json-rows";
import { expectFew } from "@/lib/db";
import { disputeOf } from "@/lib/disputes/record";
import type { Consumer, Happened } from "@/lib/events/consume";
import { refundOf } from "@/lib/refunds/record";
import { isLost, isReturned, RETURNED_SHARES } from "@/lib/reversals/returned";
import { monthOf } from "@/lib/time/calendar";
import { paid } from "@/lib/transactions/states";
import type { TransactionStatus } from "@/prisma/client/enums";

/** The plan of an earning without one, in the totals' key. */
export const NO_PLAN = "00000000-0000-0000-0000-000000000000";

/**
 * Writes what the recipients of paid sales earned, once for each share, and what of it went back by refunds, and adds both to
 * their totals by the month of the payment, and by plan. The events of a sale may come in any order: a refund was of a paid
 * sale, and what went back is read and never counted.
 */
export const collectEarnings: Consumer = async (query, events, leave) => {
  const sales = new Map<string, Sale>();
  for (const event of events) {
    const sale = saleOf(event);
    if (sale && (sale.is_refunded || !sales.has(sale.id))) sales.set(sale.id, sale);
  }
  if (sales.size === 0) return;
  const unseen = await query<{ id: string }>("earnings_collect", COLLECT, [JSON.stringify([...sales.values()])]);
  const ids = new Set(unseen.map(({ id }) => id));
  if (ids.size > 0)
    leave(events.filter((event) => (isReturned(event) || isLost(event)) && ids.has(saleOf(event)?.id ?? "")));
};

type Sale = ReturnType<typeof newSale>;

const newSale = (
  seller: string,
  id: string,
  is_refunded: boolean,
  paid: { method: string; paid_at: string | null },
) => ({
  ...{ seller, id, is_refunded, method: paid.method, paid_at: paid.paid_at },
  month: `${monthOf(new Date(paid.paid_at ?? 0))}-01`,
});

/** The sale that an event says was paid, or of which it says that something went back. */
function saleOf(event: Happened): Sale | undefined {
  const { accountId, subjectId, record } = event;
  if (isPayment(event)) return newSale(accountId, subjectId, false, record as { method: string; paid_at: string });
  if (isLost(event)) {
    const { sale } = disputeOf(record as Row);
    return newSale(accountId, sale.id, true, sale);
  }
  if (!isReturned(event)) return undefined;
  const { sale } = refundOf(record as Row);
  return newSale(accountId, sale.id, true, sale);
}

/** Whether an event is a sale's payment, and not the return of a paid sale to `completed`. */
function isPayment({ subject, data }: Happened): boolean {
  const { status, previous_status: previous } = data as Record<string, TransactionStatus | null | undefined>;
  return subject === "transaction" && status === "completed" && !(previous && paid.includes(previous));
}

/**
 * All callers lock earnings, then totals, each in the order of their keys. An earning that another transaction wrote after
 * this statement began is not seen: returns the sales of those of which something went back.
 */
const COLLECT = `with sale as (
    select * from json_to_recordset($1::json)
      as s(seller uuid, id uuid, method "TransactionMethod", paid_at timestamptz, month date, is_refunded boolean)
    where ${expectFew("s.id", "uuid")}
  ), share as materialized (
    select sale.seller, sale.id as sale, sale.method, sale.paid_at, sale.month, p.recipient_id, p.id, p.plan_id, p.basis_points,
      p.amount, coalesce(case when sale.is_refunded then (
        select sum(r.amount) from (${RETURNED_SHARES}) r
        where r.account_id = p.account_id and r.transaction_id = p.transaction_id and r.share_id = p.id
      ) end, 0) as returned
    from sale cross join lateral (select * from shares where transaction_id = sale.id offset 0) p
    order by p.recipient_id, p.id
  ), written as (
    insert into earnings (account_id, id, seller_id, transaction_id, plan_id, method, basis_points, amount, returned_amount,
      paid_at)
    select recipient_id, id, seller, sale, plan_id, method, basis_points, amount, returned, paid_at from share
    on conflict do nothing
    returning id, amount, returned_amount
  ), known as materialized (
    select s.id, s.recipient_id, s.returned, e.returned_amount as before
    from (select * from share where returned > 0 and ${expectFew("id", "uuid")}) s
    cross join lateral (
      select returned_amount from earnings where account_id = s.recipient_id and id = s.id offset 0 for update
    ) e
  ), returned as (
    update earnings e set returned_amount = k.returned from known k
    where ${expectFew("k.id", "uuid")} and e.account_id = k.recipient_id and e.id = k.id and k.before < k.returned
    returning e.id, k.returned - k.before as more
  ), total as (
    insert into earning_totals as t (account_id, month, seller_id, plan_id, number, amount, returned_amount)
    select s.recipient_id, s.month, s.seller, coalesce(s.plan_id, '${NO_PLAN}'), sum(c.number), sum(c.amount), sum(c.returned)
    from (
      select id, 1 as number, amount, returned_amount as returned from written
      union all select id, 0, 0, more from returned
    ) c join share s on s.id = c.id
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (account_id, month, seller_id, plan_id) do update
      set number = t.number + excluded.number, amount = t.amount + excluded.amount,
        returned_amount = t.returned_amount + excluded.returned_amount
  )
  select distinct s.sale as id from share s
  where s.returned > 0 and not exists (select from written w where w.id = s.id)
    and not exists (select from known k where k.id = s.id)`;
