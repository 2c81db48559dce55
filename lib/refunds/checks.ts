import { postingsOf } from "@/lib/ledger/chart";
import type { Checks } from "@/lib/reconcile/check";
import { returned } from "@/lib/reversals/returned";
import { openRefunds, releasedRefunds } from "@/lib/reversals/states";
import { inSql, startsFromSql } from "@/lib/states";
import { transitions } from "@/lib/transactions/states";

/** SQL: the postings that move what is blocked. */
const OF_BLOCKED = inSql(postingsOf("blocked"));

/** What must hold between refunds and their postings. */
export const checks: Checks = {
  // While a refund is open its account holds what it asked for, and afterwards nothing of it.
  refund_differs: `select r.account_id::text, r.id::text, r.status || ' holds ' || coalesce(e.amount, 0) || ' cents of ' ||
      (r.amount + r.fee - s.held) || ', ' || r.held_shares || ' of ' || s.held || ' held by recipients' as detail
    from refunds r
    cross join lateral (
      select coalesce(sum(s.amount), 0) as held from refund_shares s where s.account_id = r.account_id and s.refund_id = r.id and s.is_held
    ) s
    left join lateral (
      select sum(e.amount) as amount from ledger_postings p join ledger_entries e on e.posting_id = p.id
      where p.type in ${OF_BLOCKED} and e.kind = 'blocked' and e.account_id = r.account_id and p.source_id = any(
        array(select r.id union all select id from refund_shares s where s.account_id = r.account_id and s.refund_id = r.id)
      )
    ) e on true
    where r.held_shares <> s.held
      or coalesce(e.amount, 0) <> case when r.status in ${inSql(openRefunds)} then r.amount + r.fee - s.held else 0 end`,

  // What is gone of a balance is what is held or went back with its fee, and nothing of a refund that was released.
  refund_taken_differs: `select r.account_id::text, r.id::text, r.status || ' took ' || taken.amount || ' cents of ' ||
      (r.amount + r.fee - r.held_shares) as detail
    from refunds r cross join lateral (
      select -coalesce(sum(e.amount), 0) as amount from ledger_postings p join ledger_entries e on e.posting_id = p.id
      where p.type in ('refund_requested', 'refund_released', 'refund_completed_late') and p.source_id = r.id
        and e.account_id = r.account_id and e.kind in ('available', 'pending')
    ) taken
    where taken.amount <> case when r.status in ${inSql(releasedRefunds)} then 0 else r.amount + r.fee - r.held_shares end`,

  refund_share_differs: `select s.account_id::text, s.id::text, coalesce(e.amount, 0) || ' cents held of ' || s.amount as detail
    from refund_shares s join refunds r on r.account_id = s.account_id and r.id = s.refund_id
    left join lateral (
      select sum(e.amount) as amount from ledger_postings p join ledger_entries e on e.posting_id = p.id
      where p.type in ${OF_BLOCKED} and p.source_id = s.id and e.kind = 'blocked' and e.account_id = s.recipient_id
    ) e on true
    where coalesce(e.amount, 0) <> case when s.is_held and r.status in ${inSql(openRefunds)} then s.amount else 0 end`,

  refunded_amount_differs: `select t.account_id::text, t.id::text, t.status || ' with ' || t.refunded_amount ||
      ' cents back, its refunds are of ' || coalesce(r.amount, 0) as detail
    from transactions t
    left join (
      select account_id, transaction_id, sum(amount) as amount from (
        select account_id, transaction_id, amount from refunds where status = '${returned}'
        union all select account_id, transaction_id, lost_amount from disputes
      ) back group by 1, 2
    ) r on r.account_id = t.account_id and r.transaction_id = t.id
    where t.refunded_amount <> coalesce(r.amount, 0)
      or t.refunded_amount = t.amount and ${startsFromSql(transitions.refund, "t")}`,

  refunded_beyond_paid: `select t.account_id::text, t.id::text, sum(r.amount) || ' of ' || t.amount || ' cents' as detail
    from transactions t join (
      select account_id, transaction_id, amount from refunds where status in ${inSql([...openRefunds, returned])}
      union all select account_id, transaction_id, case status when 'open' then amount else lost_amount end from disputes
    ) r on r.account_id = t.account_id and r.transaction_id = t.id
    group by t.account_id, t.id having sum(r.amount) > t.amount`,
};
