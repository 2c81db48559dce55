import { methodNames, methods } from "@/lib/methods/methods";
import type { Checks } from "@/lib/reconcile/check";
import { inSql } from "@/lib/states";

const RECEIVED = inSql(methodNames.map((name) => methods[name].postings.unmatched));

/** What must hold between unmatched money and its postings. */
export const checks: Checks = {
  unmatched_differs: `select null::text as account_id, u.end_to_end_id as id, u.amount || ' cents, posted ' ||
      coalesce(sum(e.amount), 0) as detail
    from unmatched_receipts u
    left join ledger_postings p on p.type in ${RECEIVED} and p.source_id = u.id
    left join ledger_entries e on e.posting_id = p.id and e.kind = 'unmatched'
    group by u.provider, u.end_to_end_id, u.amount having coalesce(sum(e.amount), 0) <> u.amount`,

  posting_without_unmatched: `select p.account_id::text, p.source_id::text as id, p.type as detail
    from ledger_postings p left join unmatched_receipts u on u.id = p.source_id
    where p.type in ${RECEIVED} and u.id is null`,
};
