import type { Checks } from "@/lib/reconcile/check";
import { inSql } from "@/lib/states";
import { paid } from "@/lib/transactions/states";

/** What must hold between shares and their postings. */
export const checks: Checks = {
  share_differs: `select t.account_id::text, s.id::text, 'paid ' || coalesce(sum(e.amount), 0) || ', agreed ' ||
      s.amount as detail
    from transactions t join shares s on s.transaction_id = t.id
    left join ledger_postings p on p.type in ('split_paid', 'card_split_paid') and p.source_id = s.id
    left join ledger_entries e on e.posting_id = p.id and e.account_id = s.recipient_id
      and e.kind = case t.method when 'card' then 'pending' else 'available' end
    where t.status in ${inSql(paid)}
    group by t.account_id, s.id, s.amount having coalesce(sum(e.amount), 0) <> s.amount`,

  posting_without_share: `select p.account_id::text, p.source_id::text as id, p.type as detail
    from ledger_postings p
    left join (
      select id from shares union all select id from transactions where method = 'card'
    ) known on known.id = p.source_id
    where p.type in ('split_paid', 'card_split_paid', 'card_settled') and known.id is null`,
};
