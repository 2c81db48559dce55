import { modeOf } from "@/lib/ledger/chart";
import { partOf } from "@/lib/ledger/days";
import type { Checks } from "@/lib/reconcile/check";

/** What must hold within the ledger. */
export const checks: Checks = {
  ledger_not_zero: `select null::text as account_id, null::text as id, mode || ': entries sum to ' || sum(amount) as detail
    from (select ${modeOf("e.account_id")} as mode, amount from (
      select account_id, sum(amount) as amount from ledger_entries group by account_id
    ) e) sums
    group by mode having sum(amount) <> 0`,

  // Until the migration platforms_by_mode one platform had the money of both.
  posting_of_two_modes: `select p.account_id::text, p.id::text, p.type as detail
    from ledger_entries e join ledger_postings p on p.id = e.posting_id
    where e.id > (select coalesce(max(id), 0) from ledger_entries where type = 'modes_separated')
    group by p.account_id, p.id, p.type having count(distinct ${modeOf("e.account_id")}) > 1`,

  posting_not_zero: `select p.account_id::text, p.id::text, p.type || ' has ' || count(e.id) || ' entries, sum ' ||
      coalesce(sum(e.amount), 0) as detail
    from ledger_postings p left join ledger_entries e on e.posting_id = p.id
    group by p.account_id, p.id, p.type having coalesce(sum(e.amount), 0) <> 0 or count(e.id) % 2 <> 0`,

  entry_differs: `select e.account_id::text, e.id::text, e.type || ' of a posting ' || p.type as detail
    from ledger_entries e join ledger_postings p on p.id = e.posting_id
    where e.type <> p.type or e.source_id <> p.source_id`,

  days_differ: `select account_id::text, null::text as id, 'On ' || day || ' ' || kind || ' has ' || sum(known) || ' cents of ' || type ||
      ', entries say ' || sum(entered) || ', or others of their numbers' as detail
    from (
      select account_id, day, kind, type, part, amount as known, entries, 0 as entered, 0 as number, first_id, last_id, null::bigint as id
      from ledger_days
      union all
      select e.account_id, ledger_day(e.created_at), e.kind, e.type, ${partOf("e")}, 0, 0,
        e.amount, 1, null, null, e.id
      from ledger_entries e
      where not exists (select from ledger_tail t where t.account_id = e.account_id and t.kind = e.kind and t.entry_id = e.id)
    ) sides group by account_id, day, kind, type, part
    having sum(known) <> sum(entered) or sum(entries) <> sum(number) or coalesce(min(first_id) <> min(id) or max(last_id) <> max(id), true)`,

  balance_differs: `select account_id::text, null::text as id, kind || ' is ' || sum(known) || ', entries say ' || sum(entered)
      as detail
    from (
      select account_id, kind, amount as known, 0 as entered from ledger_snapshots
      union all select account_id, kind, amount, 0 from ledger_tail
      union all select account_id, kind, 0, amount from ledger_entries
    ) sides group by account_id, kind having sum(known) <> sum(entered)`,
};
