import type { Query } from "@/lib/db";
import { dueInSets } from "@/lib/due/sets";
import { log } from "@/lib/log";
import { startsFromSql } from "@/lib/states";
import { beginReturns, type ToReturn } from "@/lib/unmatched/begin-return";
import { returnerOf } from "@/lib/unmatched/call";
import { unmatchedTransitions } from "@/lib/unmatched/states";

/** SQL: whether the operator has stopped payouts neither everywhere nor of the rail of `t`. */
const IS_LET_THROUGH =
  "not exists (select from payout_stops where (scope, target) in (('all', ''), ('rail', t.provider)))";

/** Money that goes back by itself, by the instant at which it does (`policies`). */
export const dueReturns = {
  table: "unmatched_receipts",
  key: { account_id: "uuid", id: "uuid" },
  at: "t.return_at",
  only: `${startsFromSql(unmatchedTransitions.return, "t")} and t.return_at is not null and ${IS_LET_THROUGH}`,
} as const;

/**
 * Takes a set of what is due on its way back to its payers. What nobody can send back, because its provider is not configured
 * any more, waits for a person. Returns whether more may be due.
 */
export const returnDue = dueInSets<ToReturn>({
  name: "unmatched.return",
  rows: dueReturns,
  columns: ", t.method, t.mode, t.provider",
  limit: 100,
  act: async (query, due) => {
    await beginReturns(
      query,
      query,
      due.filter((one) => returnerOf(one)),
    );
    await leaveToPeople(
      query,
      due.filter((one) => !returnerOf(one)),
    );
  },
});

async function leaveToPeople(query: Query, money: readonly ToReturn[]): Promise<void> {
  if (money.length === 0) return;
  for (const { id, provider } of money) log.error({ id, provider }, "nobody sends this money back; a person decides");
  await query("unmatched_wait", WAIT, [money.map(({ accountId }) => accountId), money.map(({ id }) => id)]);
}

const WAIT = `update unmatched_receipts u set return_at = null
  from unnest($1::uuid[], $2::uuid[]) as w(account_id, id) where u.account_id = w.account_id and u.id = w.id
    and not exists (select from pix_providers p where p.name = u.provider) -- one that this process does not know yet`;
