import type { Query, Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { move } from "@/lib/move";
import { forgetCall, writeCalls } from "@/lib/outside/calls";
import { mayCrash } from "@/lib/process/crash-points";
import { returnCallOf, returnerOf } from "@/lib/unmatched/call";
import { unmatchedNoun } from "@/lib/unmatched/noun";
import type { UnmatchedReceipt } from "@/prisma/client/client";

/** `returnId` is that of a return which failed and may have been made: it is repeated under the same id. */
export type ToReturn = Pick<UnmatchedReceipt, "accountId" | "id" | "method" | "mode" | "provider"> & {
  returnId?: string | null;
};

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
  const returns = new Map(
    money.map((one) => [one.id, { ...one, returnId: one.returnId ?? newId(), isRepeat: Boolean(one.returnId) }]),
  );
  const moves = [...returns.values()].map(({ accountId, id, returnId }) => ({
    ...{ accountId, id, ...(requestId && { requestId }), facts: { ...facts, return_as: returnId } },
  }));
  const moved = await move(within, unmatchedNoun, "return", moves);
  const ids = moved.map(({ record }) => String(record.id));
  for (const { accountId, id, returnId, isRepeat } of returns.values())
    if (isRepeat && ids.includes(id)) await forgetCall(query, { accountId, id: returnId });
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
