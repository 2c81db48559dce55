import type { Query, Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { move } from "@/lib/move";
import { writeCalls } from "@/lib/outside/calls";
import { mayCrash } from "@/lib/process/crash-points";
import { returnCallOf, returnerOf } from "@/lib/unmatched/call";
import { unmatchedNoun } from "@/lib/unmatched/noun";
import type { UnmatchedReceipt } from "@/prisma/client/client";

export type ToReturn = Pick<UnmatchedReceipt, "accountId" | "id" | "method" | "mode" | "provider">;

type Why = { requestId?: string; staff?: string; why?: string };

/**
 * Takes money that is open on its way back: it moves, and the call that sends it is written with it. Whoever decides otherwise
 * at once finds it moved. Returns the ids of what moved. Throws where nobody can send it back.
 */
export async function beginReturns(
  within: Tx | Query,
  query: Query,
  money: readonly ToReturn[],
  { requestId, ...facts }: Why = {},
): Promise<Set<string>> {
  const returns = new Map(money.map((one) => [one.id, { ...one, returnId: newId() }]));
  const moves = [...returns.values()].map(({ accountId, id, returnId }) => ({
    ...{ accountId, id, ...(requestId && { requestId }), facts: { ...facts, return_as: returnId } },
  }));
  const moved = await move(within, unmatchedNoun, "return", moves);
  const ids = moved.map(({ record }) => String(record.id));
  await writeCalls(
    query,
    ids.flatMap((id) => callOf(returns.get(id))),
  );
  mayCrash("unmatched.returning");
  return new Set(ids);
}

function callOf(money: (ToReturn & { returnId: string }) | undefined) {
  if (!money) return [];
  const provider = returnerOf(money);
  if (!provider) throw new Error(`Nobody sends money of ${money.provider} back`);
  return [{ accountId: money.accountId, id: money.returnId, kind: returnCallOf(money).name, provider }];
}
