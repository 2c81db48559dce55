import { NO_PLAN } from "@/lib/earnings/collect";
import { waitingFor } from "@/lib/events/outbox";
import type { Checks } from "@/lib/reconcile/check";
import { RETURNED_SHARES } from "@/lib/reversals/returned";
import { TIME_ZONE } from "@/lib/time/calendar";
import { isPaid } from "@/lib/transactions/states";

/** SQL: the local month of an earning's payment, in which it counts. */
const MONTH = `date_trunc('month', paid_at at time zone '${TIME_ZONE}')::date`;

/** What must hold between the shares of paid sales, what went back of them, their recipients' earnings, and the totals of these. */
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

  returned_earning_differs: `select e.account_id::text, e.id::text, 'gave back ' || e.returned_amount || ', refunds took ' ||
      coalesce(r.amount, 0) as detail
    from earnings e
    left join (
      select account_id, share_id, sum(amount) as amount from (${RETURNED_SHARES}) one group by account_id, share_id
    ) r on r.account_id = e.seller_id and r.share_id = e.id
    where e.returned_amount <> coalesce(r.amount, 0) and not exists (
      select from (
        select account_id, transaction_id, id from refunds union all select account_id, transaction_id, id from disputes
      ) f join events v on v.account_id = f.account_id and v.subject_id = f.id
      join ${waitingFor("earnings")} o on o.account_id = v.account_id and o.event_id = v.id
      where f.account_id = e.seller_id and f.transaction_id = e.transaction_id
    )`,

  earning_total_differs: `select account_id::text, null::text as id, 'plan ' || plan_id || ': ' || sum(number) || ' earnings of ' ||
      sum(amount) || ' cents too many, ' || sum(returned_amount) || ' given back' as detail
    from (
      select account_id, month, seller_id, plan_id, number, amount, returned_amount from earning_totals
      union all select account_id, ${MONTH}, seller_id, coalesce(plan_id, '${NO_PLAN}'), -1, -amount, -returned_amount
        from earnings
    ) sides
    group by account_id, month, seller_id, plan_id
    having sum(number) <> 0 or sum(amount) <> 0 or sum(returned_amount) <> 0`,
};
