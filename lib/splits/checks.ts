import { isMethodThat, methodNames, methods, wordOfMethod } from "@/lib/methods/methods";
import type { Checks } from "@/lib/reconcile/check";
import { inSql } from "@/lib/states";
import { isPaid } from "@/lib/transactions/states";

const SHARED = methodNames.map((name) => methods[name].postings.shared);
const SETTLED = methodNames.flatMap((name) => methods[name].postings.settled ?? []);

/** What must hold between shares and their postings. */
export const checks: Checks = {
  share_differs: `select t.account_id::text, s.id::text, 'paid ' || coalesce(sum(e.amount), 0) || ', agreed ' ||
      s.amount as detail
    from transactions t join shares s on s.transaction_id = t.id
    left join ledger_postings p on p.type in ${inSql(SHARED)} and p.source_id = s.id
    left join ledger_entries e on e.posting_id = p.id and e.account_id = s.recipient_id
      and e.kind = ${wordOfMethod(({ paidInto }) => paidInto, "t")}
    where ${isPaid("t")}
    group by t.account_id, s.id, s.amount having coalesce(sum(e.amount), 0) <> s.amount`,

  posting_without_share: `select p.account_id::text, p.source_id::text as id, p.type as detail
    from ledger_postings p
    left join (
      select id from shares union all select id from transactions where ${isMethodThat(({ postings }) => postings.settled !== null)}
    ) known on known.id = p.source_id
    where p.type in ${inSql([...SHARED, ...SETTLED])} and known.id is null`,
};
