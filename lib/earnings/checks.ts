import { NO_PLAN } from "@/lib/earnings/collect";
import { waitingFor } from "@/lib/events/outbox";
import type { Checks } from "@/lib/reconcile/check";
import { isPaid } from "@/lib/transactions/states";

/** What must hold between the shares of paid sales, their recipients' earnings, and the totals of these. */
export const checks: Checks = {
  earning_differs: `select coalesce(e.account_id, s.recipient_id)::text as account_id,
      coalesce(e.id, s.id)::text as id, 'earned ' || coalesce(e.amount, 0) || ', share ' || coalesce(s.amount, 0) as detail
    from (
      select s.* from shares s join transactions t on t.account_id = s.account_id and t.id = s.transaction_id
      where ${isPaid("t")}
    ) s
    full join earnings e on e.account_id = s.recipient_id and e.id = s.id
    where e.amount is distinct from s.amount and not (e.id is null and exists (
      select from events v join ${waitingFor("earnings")} o on o.account_id = v.account_id and o.event_id = v.id
      where v.account_id = s.account_id and v.subject_id = s.transaction_id
    ))`,

  earning_total_differs: `select account_id::text, null::text as id,
      'plan ' || plan_id || ': ' || sum(number) || ' earnings of ' || sum(amount) || ' cents too many' as detail
    from (
      select account_id, seller_id, plan_id, number, amount from earning_totals
      union all select account_id, seller_id, coalesce(plan_id, '${NO_PLAN}'), -1, -amount from earnings
    ) sides
    group by account_id, seller_id, plan_id having sum(number) <> 0 or sum(amount) <> 0`,
};
