import { asSystem } from "@/lib/db";
import { CHANGED, changesOf, countsOf, KEY } from "@/lib/rollups/changes";

/** How many accounts one transaction counts. */
const AT_ONCE = 200;
/** An account of many million sales is read as a whole. */
const WITHIN = { timeoutMs: 15 * 60_000, plans: "force_custom_plan" } as const;

/**
 * Counts the sales of every account anew, while servers run: some accounts after others, each time in a transaction.
 * Returns the number of accounts.
 */
export async function rebuildRollups(): Promise<number> {
  const accounts = await asSystem((tx) => tx.account.findMany({ select: { id: true }, orderBy: { id: "asc" } }));
  for (let at = 0; at < accounts.length; at += AT_ONCE) {
    await rebuildAccounts(accounts.slice(at, at + AT_ONCE).map(({ id }) => id));
  }
  return accounts.length;
}

/**
 * Counts these accounts' sales anew. The lock waits for whoever is counting events, and keeps others from it; readers
 * read on. Whatever waits in the outbox then is not counted here, because its events will be.
 */
export const rebuildAccounts = (ids: readonly string[]): Promise<void> =>
  asSystem(async (tx) => {
    await tx.$executeRaw`lock table rollups in share row exclusive mode`;
    await tx.$executeRaw`delete from rollups where account_id = any(${[...ids]}::uuid[])`;
    await tx.$executeRawUnsafe(REBUILD, ids);
  }, WITHIN);

const of = (table: string) => `(select * from ${table} where account_id = any($1::uuid[]))`;

const REBUILD = `insert into rollups (${KEY}, number, gross, net)
  select ${KEY}, sum(number), sum(gross), sum(net)
  from (
    ${countsOf(of("transactions"))}
    union all
    select ${KEY}, -number, -gross, -net from (${changesOf(of("outbox"))}) waiting
  ) counted
  group by ${KEY} having ${CHANGED}`;
