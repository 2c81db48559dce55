import { unknownCharges } from "@/lib/charges/unknown";
import { postingsOf } from "@/lib/ledger/chart";
import { isMethodThat, methodNames, methods } from "@/lib/methods/methods";
import type { Checks } from "@/lib/reconcile/check";
import { usedOfSale, usedOfShare } from "@/lib/reversals/used";
import { inSql } from "@/lib/states";
import { isPaid } from "@/lib/transactions/states";

const SETTLES = isMethodThat(({ postings }) => postings.settled !== null, "t");
const SETTLED = inSql(methodNames.flatMap((name) => methods[name].postings.settled ?? []));
/** SQL: the postings that move what is pending. */
const OF_PENDING = inSql(postingsOf("pending"));

/** What must hold between card charges, the ledger and the acquirers. */
export const checks: Checks = {
  // Until a sale is settled, what is left of it is pending, and nothing of it afterwards. To settle moves it within its account.
  settlement_differs: `select l.account_id::text, l.id::text, coalesce(e.amount, 0) || ' pending for ' || l.owner || ', due ' || l.due as detail
    from (
      select t.account_id, t.id, t.account_id as owner, case when t.settled_at is null
          then t.net - coalesce((select sum(s.amount) from shares s where s.transaction_id = t.id), 0)
            - coalesce((${usedOfSale("t")}), 0) else 0 end as due,
        array(select t.id union all select s.id from shares s where s.transaction_id = t.id
          union all select r.id from refunds r where r.account_id = t.account_id and r.transaction_id = t.id
          union all select d.id from disputes d where d.account_id = t.account_id and d.transaction_id = t.id) as sources
      from transactions t where ${SETTLES} and ${isPaid("t")}
      union all
      select t.account_id, t.id, s.recipient_id,
        case when t.settled_at is null then s.amount - coalesce((${usedOfShare("s")}), 0) else 0 end,
        array(select s.id union all select p.id from refund_shares p where p.account_id = t.account_id and p.share_id = s.id
          union all select p.id from dispute_shares p where p.account_id = t.account_id and p.share_id = s.id)
      from transactions t join shares s on s.transaction_id = t.id where ${SETTLES} and ${isPaid("t")}
    ) l
    left join lateral (
      select sum(e.amount) filter (where e.kind = 'pending') as amount, sum(e.amount) filter (where p.type in ${SETTLED}) as moved
      from ledger_postings p join ledger_entries e on e.posting_id = p.id
      where p.type in ${OF_PENDING} and p.source_id = any(l.sources) and e.account_id = l.owner
    ) e on true
    where coalesce(e.amount, 0) <> l.due or coalesce(e.moved, 0) <> 0`,

  async *charge_without_sale({ since, until }) {
    for await (const charges of unknownCharges(since, until)) {
      yield* charges.map(({ id, amount }) => ({ id, detail: `${amount} cents` }));
    }
  },
};
