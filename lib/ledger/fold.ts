import { asSystem } from "@/lib/db";

/**
 * Folds tails into snapshots, at most `most` entries a call; returns how many. Deleting a tail row and adding it to
 * the snapshot is one statement, and a row not yet committed is simply not there to be deleted: a credit that commits
 * late is counted by the tail until a later fold takes it, never twice and never lost. No transaction id is kept.
 */
export function foldTails(most = 10_000): Promise<number> {
  return asSystem(async (tx) => {
    const [row] = await tx.$queryRaw<{ folded: bigint }[]>`
      with picked as (
        select account_id, kind, entry_id from ledger_tail
        order by account_id, kind, entry_id limit ${most} for update skip locked
      ), gone as (
        delete from ledger_tail t using picked p
        where t.account_id = p.account_id and t.kind = p.kind and t.entry_id = p.entry_id
        returning t.account_id, t.kind, t.amount
      ), sums as (
        select account_id, kind, sum(amount)::bigint as amount, count(*) as entries from gone
        group by account_id, kind order by account_id, kind
      ), kept as (
        insert into ledger_snapshots as s (account_id, kind, amount, folded_at)
        select account_id, kind, amount, clock_timestamp() from sums order by account_id, kind
        on conflict (account_id, kind)
        do update set amount = s.amount + excluded.amount, folded_at = excluded.folded_at
        returning 1
      )
      select coalesce(sum(entries), 0)::bigint as folded from sums, (select count(*) from kept) done`;
    return Number(row?.folded ?? 0);
  });
}
