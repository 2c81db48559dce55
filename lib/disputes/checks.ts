import { postingsOf } from "@/lib/ledger/chart";
import type { Checks } from "@/lib/reconcile/check";
import { openRefunds } from "@/lib/reversals/states";
import { inSql } from "@/lib/states";

/** SQL: the postings that move what is blocked. */
const OF_BLOCKED = inSql(postingsOf("blocked"));

/** What must hold between disputes and their postings. */
export const checks: Checks = {
  // While a dispute is open its account holds what it says is blocked, and afterwards nothing of it.
  dispute_differs: `select d.account_id::text, d.id::text, d.status || ' holds ' || coalesce(e.amount, 0) || ' cents, says ' ||
      d.blocked_amount || ', ' || d.held_shares || ' of ' || s.held || ' held by recipients' as detail
    from disputes d
    cross join lateral (
      select coalesce(sum(s.amount), 0) as held from dispute_shares s
      where s.account_id = d.account_id and s.dispute_id = d.id and s.is_held
    ) s
    left join lateral (
      select sum(e.amount) as amount from ledger_postings p join ledger_entries e on e.posting_id = p.id
      where p.type in ${OF_BLOCKED} and e.kind = 'blocked' and e.account_id = d.account_id and p.source_id = any(
        array(select d.id union all select id from dispute_shares s where s.account_id = d.account_id and s.dispute_id = d.id
          union all select id from dispute_blocks b where b.account_id = d.account_id and b.dispute_id = d.id)
      )
    ) e on true
    where d.held_shares <> s.held or coalesce(e.amount, 0) <> d.blocked_amount
      or d.blocked_amount < case when d.status = 'open' and d.block_at is null then d.amount - d.held_shares else 0 end`,

  dispute_share_differs: `select s.account_id::text, s.id::text, coalesce(e.amount, 0) || ' cents held of ' || s.amount as detail
    from dispute_shares s join disputes d on d.account_id = s.account_id and d.id = s.dispute_id
    left join lateral (
      select sum(e.amount) as amount from ledger_postings p join ledger_entries e on e.posting_id = p.id
      where p.type in ${OF_BLOCKED} and p.source_id = s.id and e.kind = 'blocked' and e.account_id = s.recipient_id
    ) e on true
    where coalesce(e.amount, 0) <> case when s.is_held and d.status = 'open' then s.amount else 0 end`,

  sale_dispute_differs: `select t.account_id::text, t.id::text, t.status || ' with ' || d.open || ' open disputes' as detail
    from transactions t
    left join lateral (
      select count(*) as open from disputes d where d.account_id = t.account_id and d.transaction_id = t.id and d.status = 'open'
    ) d on true
    where (t.status = 'disputed') <> (d.open = 1)`,

  // What is blocked of an account is what its refunds and disputes hold, of its own and as a recipient, and nothing else.
  blocked_differs: `select coalesce(l.account_id, h.account_id)::text as account_id, null::text as id,
      coalesce(l.amount, 0) || ' cents blocked, ' || coalesce(h.amount, 0) || ' by refunds and disputes' as detail
    from (select account_id, sum(amount) as amount from ledger_entries where kind = 'blocked' group by 1) l
    full join (
      select account_id, sum(amount) as amount from (
        select account_id, amount + fee - held_shares as amount from refunds where status in ${inSql(openRefunds)}
        union all select p.recipient_id, p.amount from refund_shares p
          join refunds r on r.account_id = p.account_id and r.id = p.refund_id where p.is_held and r.status in ${inSql(openRefunds)}
        union all select account_id, blocked_amount from disputes
        union all select p.recipient_id, p.amount from dispute_shares p
          join disputes d on d.account_id = p.account_id and d.id = p.dispute_id where p.is_held and d.status = 'open'
      ) held group by 1
    ) h on h.account_id = l.account_id
    where coalesce(l.amount, 0) <> coalesce(h.amount, 0)`,
};
