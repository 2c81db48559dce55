import { ownKinds } from "@/lib/ledger/chart";

const OWN = ownKinds.map((kind) => `'${kind}'`).join(", ");

/**
 * SQL: which debit of its posting an entry `e` is, of those from the same kind of account: 2 for a fee that leaves with an
 * amount, else 1.
 */
export const partOf = (e: string) => `case when ${e}.kind in (${OWN}) and ${e}.amount < 0 and exists (
      select from ledger_entries f where f.posting_id = ${e}.posting_id and f.account_id = ${e}.account_id and f.kind = ${e}.kind
        and f.amount < 0 and f.id < ${e}.id
    ) then 2 else 1 end`;

/**
 * SQL: what an account's entries come to by day, kind, type and part (`partOf`), how many there are and between which ids: folded days, and a row for each
 * entry that is not folded yet. Read in one statement an entry is in one of both, whenever it was committed. `account` is an
 * expression, such as a parameter; the transaction must have that account in scope.
 */
export const daysOf = (account: string) => `
  select day, kind, type, part, amount, entries, first_id, last_id from ledger_days where account_id = ${account}
  union all
  select ledger_day(e.created_at), e.kind, e.type, ${partOf("e")}, e.amount, 1, e.id, e.id
  from ledger_tail t
  cross join lateral (select * from ledger_entries where account_id = t.account_id and id = t.entry_id offset 0) e
  where t.account_id = ${account}`;
