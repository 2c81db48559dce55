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
 * Counts one account's sales anew. The lock waits for whoever is counting events, and keeps others from it; readers read
 * on. Whatever waits in the outbox then is not counted here, because its events will be.
 */
export const rebuildAccount = (accountId: string): Promise<void> =>
  forAccount(
    accountId,
    async (tx) => {
      await tx.$executeRaw`lock table rollups in share row exclusive mode`;
      await tx.$executeRaw`delete from rollups where account_id = ${accountId}::uuid`;
      await tx.$executeRawUnsafe(REBUILD, accountId);
    },
    { timeoutMs: WITHIN_MS, plans: "force_custom_plan" },
  );

const REBUILD = `insert into rollups (${KEY}, number, gross, net)
  select ${KEY}, sum(number), sum(gross), sum(net)
  from (
    ${countsOf("(select * from transactions where account_id = $1::uuid)")}
    union all
    select ${KEY}, -number, -gross, -net
    from (${changesOf("(select * from outbox where account_id = $1::uuid)")}) waiting
  ) counted
  group by ${KEY} having ${CHANGED}`;
