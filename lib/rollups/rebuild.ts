import { asSystem, forAccount } from "@/lib/db";
import { CHANGED, changesOf, countsOf, KEY } from "@/lib/rollups/changes";

/**
 * Counts the sales of every account anew, while servers run: one account after the other, each in a transaction of its
 * own. Returns the number of accounts.
 */
export async function rebuildRollups(): Promise<number> {
  const accounts = await asSystem((tx) => tx.account.findMany({ select: { id: true } }));
  for (const { id } of accounts) await rebuildAccount(id);
  return accounts.length;
}

/** An account of many million sales is read as a whole. */
const WITHIN_MS = 15 * 60_000;

/**
 * Adds to one account's counts what they lack. The difference between sales and counts, with what waits in the outbox,
 * stays the same while sales are written and counted, so it is read and added in one statement that keeps nobody from
 * counting. The lock is between rebuilds only: two at once would add the same difference twice.
 */
export const rebuildAccount = (accountId: string): Promise<void> =>
  forAccount(
    accountId,
    async (tx) => {
      await tx.$executeRaw`lock table rollups in share update exclusive mode`;
      await tx.$executeRawUnsafe(REBUILD, accountId);
    },
    { timeoutMs: WITHIN_MS, plans: "force_custom_plan" },
  );

const REBUILD = `insert into rollups as r (${KEY}, number, gross, net)
  select ${KEY}, sum(number), sum(gross), sum(net)
  from (
    ${countsOf("(select * from transactions where account_id = $1::uuid)")}
    union all
    select ${KEY}, -number, -gross, -net from (
      select ${KEY}, number, gross, net from rollups where account_id = $1::uuid
      union all ${changesOf("(select * from outbox where account_id = $1::uuid)")}
    ) known
  ) counted
  group by ${KEY} having ${CHANGED}
  order by ${KEY}
  on conflict (${KEY}) do update
    set number = r.number + excluded.number, gross = r.gross + excluded.gross, net = r.net + excluded.net`;
