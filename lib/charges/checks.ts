import { unknownCharges } from "@/lib/charges/unknown";
import { isMethodThat, wordOfMethod } from "@/lib/methods/methods";
import type { Checks } from "@/lib/reconcile/check";

const SETTLES = isMethodThat(({ postings }) => postings.settled !== null, "t");
const SETTLED = wordOfMethod(({ postings }) => postings.settled, "t");

/** What must hold between card charges, the ledger and the acquirers. */
export const checks: Checks = {
  settlement_differs: `select l.account_id::text, l.id::text, 'settled ' || coalesce(sum(e.amount), 0) || ' for ' ||
      l.owner || ', due ' || l.due as detail
    from (
      select t.account_id, t.id, ${SETTLED} as settled, t.id as source, t.account_id as owner, case when t.settled_at is null then 0
        else t.net - coalesce((select sum(s.amount) from shares s where s.transaction_id = t.id), 0) end as due
      from transactions t where ${SETTLES}
      union all
      select t.account_id, t.id, ${SETTLED}, s.id, s.recipient_id, case when t.settled_at is null then 0 else s.amount end
      from transactions t join shares s on s.transaction_id = t.id where ${SETTLES}
    ) l
    left join ledger_postings p on p.type = l.settled and p.source_id = l.source
    left join ledger_entries e on e.posting_id = p.id and e.kind = 'available' and e.account_id = l.owner
    group by l.account_id, l.id, l.source, l.owner, l.due having coalesce(sum(e.amount), 0) <> l.due`,

  async *charge_without_sale({ since, until }) {
    for await (const charges of unknownCharges(since, until)) {
      yield* charges.map(({ id, amount }) => ({ id, detail: `${amount} cents` }));
    }
  },
};
