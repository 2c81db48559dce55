import type { Query } from "@/lib/db";
import type { StopScope } from "@/prisma/client/enums";

/** A place where the operator stopped payouts. */
export type Stop = { scope: StopScope; target: string; reason: string };

type Asked = { accountId: string; provider: string };

/** What stops the payouts of an account by a rail now; undefined where nothing does. What is asked for waits meanwhile. */
export async function findStop(query: Query, { accountId, provider }: Asked): Promise<Stop | undefined> {
  const [stop] = await query<Stop>("payout_stop", FIND, [provider, accountId]);
  return stop;
}

const FIND = `select scope::text as scope, target, reason from payout_stops
  where (scope, target) in (('all', ''), ('rail', $1), ('account', $2)) order by scope limit 1`;
