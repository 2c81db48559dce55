import type { Checks } from "@/lib/reconcile/check";

/** What must hold between adjustments and their postings. */
export const checks: Checks = {
  adjustment_differs: `select a.account_id::text, a.id::text,
      a.direction || ' of ' || a.amount || ' cents, posted ' || coalesce(e.amount, 0) as detail
    from adjustments a
    left join lateral (
      select sum(e.amount) as amount from ledger_postings p join ledger_entries e on e.posting_id = p.id
      where p.type = 'adjustment_' || a.direction || 'ed' and p.source_id = a.id
        and e.account_id = a.account_id and e.kind = 'available'
    ) e on true
    where coalesce(e.amount, 0) <> case a.direction when 'credit' then a.amount else -a.amount end`,

  posting_without_adjustment: `select p.account_id::text, p.source_id::text as id, p.type as detail
    from ledger_postings p left join adjustments a on a.account_id = p.account_id and a.id = p.source_id
    where p.type in ('adjustment_credited', 'adjustment_debited') and a.id is null`,
};
