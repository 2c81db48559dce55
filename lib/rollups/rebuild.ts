import { asSystem } from "@/lib/db";
import { waitingFor } from "@/lib/events/outbox";
import { CHANGED, changesOf, countsOf, KEY } from "@/lib/rollups/counting";

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
 * Adds to these accounts' counts what they lack. The difference between sales and counts, with what waits in the outbox,
 * stays the same while sales are written and counted, so it is read and added in one statement that keeps nobody from
 * counting. The lock is between rebuilds only: two at once would add the same difference twice.
 */
export const rebuildAccounts = (ids: readonly string[]): Promise<void> =>
  asSystem(async (tx) => {
    await tx.$executeRaw`lock table rollups in share update exclusive mode`;
    await tx.$executeRawUnsafe(REBUILD, ids);
  }, WITHIN);

const of = (table: string) => `(select * from ${table} where account_id = any($1::uuid[]))`;

const REBUILD = `insert into rollups as r (${KEY}, number, gross, net)
  select ${KEY}, sum(number), sum(gross), sum(net)
  from (
    ${countsOf(of("transactions"))}
    union all
    select ${KEY}, -number, -gross, -net from (
      select ${KEY}, number, gross, net from ${of("rollups")} kept
      union all ${changesOf(waitingFor("counts", "account_id = any($1::uuid[])"))}
    ) known
  ) counted
  group by ${KEY} having ${CHANGED}
  order by ${KEY}
  on conflict (${KEY}) do update
    set number = r.number + excluded.number, gross = r.gross + excluded.gross, net = r.net + excluded.net`;
