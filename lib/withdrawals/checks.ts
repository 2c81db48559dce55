import { postingsOf } from "@/lib/ledger/chart";
import type { Checks } from "@/lib/reconcile/check";
import { inSql } from "@/lib/states";
import { compareAt, payingRails } from "@/lib/withdrawals/differences";
import { openWithdrawals } from "@/lib/withdrawals/states";

/** SQL: the postings that move what is held. */
const OF_HELD = inSql(postingsOf("held"));

/** SQL: what postings of a type moved for the withdrawal `w` or its return `r`, of its account, in cents. */
const posted = (type: string, source: string) => `coalesce((
    select sum(e.amount) from ledger_postings p join ledger_entries e on e.posting_id = p.id
    where p.type = '${type}' and p.source_id = ${source} and e.account_id = w.account_id and e.kind = 'available'
  ), 0)`;

/** What must hold between withdrawals, their postings and the rails. */
export const checks: Checks = {
  // While a withdrawal is open its account holds its amount and fee, and afterwards nothing of it.
  withdrawal_differs: `select w.account_id::text, w.id::text, w.status || ' holds ' || coalesce(e.amount, 0) || ' cents of ' || (w.amount + w.fee) as detail
    from withdrawals w
    left join lateral (
      select sum(e.amount) as amount from ledger_postings p join ledger_entries e on e.posting_id = p.id
      where p.type in ${OF_HELD} and e.kind = 'held' and e.account_id = w.account_id and p.source_id = w.id
    ) e on true
    where coalesce(e.amount, 0) <> case when w.status in ${inSql(openWithdrawals)} then w.amount + w.fee else 0 end`,

  // What is gone of a balance is what was paid with its fee, and nothing of a withdrawal that was not.
  withdrawal_taken_differs: `select w.account_id::text, w.id::text, w.status || ' took ' || taken.amount || ' cents of ' || (w.amount + w.fee) as detail
    from withdrawals w cross join lateral (
      select -(${posted("withdrawal_requested", "w.id")} + ${posted("withdrawal_released", "w.id")}
        + ${posted("withdrawal_paid_late", "w.id")}) as amount
    ) taken
    where taken.amount <> case when w.status in ('failed', 'cancelled', 'lapsed') then 0 else w.amount + w.fee end`,

  withdrawal_returns_differ: `select w.account_id::text, w.id::text, w.returned_amount || ' cents are back, its returns are of ' || r.amount || ', posted ' || r.posted as detail
    from withdrawals w cross join lateral (
      select coalesce(sum(r.amount), 0) as amount, coalesce(sum(${posted("withdrawal_returned", "r.id")}), 0) as posted
      from withdrawal_returns r where r.account_id = w.account_id and r.withdrawal_id = w.id
    ) r
    where w.returned_amount <> r.amount or r.posted <> r.amount
      or (w.returned_amount = w.amount) <> (w.status = 'returned') or w.returned_amount > 0 and w.status not in ('paid', 'returned')`,

  // A payout without a withdrawal would be a second one for an intent of ours.
  async *payout_differs({ since, until }) {
    for (const provider of payingRails()) {
      for await (const { differences } of compareAt(provider, since, until)) {
        yield* differences.map(({ payout: { id }, withdrawal, detail }) => ({
          ...{ id, detail },
          ...(withdrawal && { accountId: withdrawal.accountId }),
        }));
      }
    }
  },
};
