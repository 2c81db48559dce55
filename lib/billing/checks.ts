import { paidCycles } from "@/lib/billing/states";
import type { Checks } from "@/lib/reconcile/check";
import { inSql } from "@/lib/states";
import { isPaid } from "@/lib/transactions/states";

/** What must hold between subscriptions, their cycles and the sales that pay them. */
export const checks: Checks = {
  cycle_differs_from_sale: `select c.account_id::text, c.id::text,
      'cycle ' || c.number || ' is ' || c.status || ', paid by ' || count(t.id) || ' sales' as detail
    from cycles c left join transactions t on t.account_id = c.account_id and t.cycle_id = c.id and ${isPaid("t")}
    group by c.account_id, c.id, c.number, c.status
    having count(t.id) <> case when c.status in ${inSql(paidCycles)} then 1 else 0 end`,

  owed_cycle_is_paid: `select s.account_id::text, s.id::text, 'owes cycle ' || c.number || ', which is ' || c.status as detail
    from subscriptions s join cycles c on c.account_id = s.account_id and c.id = s.cycle_id
    where c.status in ${inSql(paidCycles)}`,

  billing_overdue: `select s.account_id::text, s.id::text, 'due since ' || s.act_at as detail
    from subscriptions s join accounts a on a.id = s.account_id
    where s.act_at < now() + a.clock_offset_ms * interval '1 millisecond' - interval '1 hour'`,
};
