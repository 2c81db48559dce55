import { type Query, queryOf, readFor, runPrepared, SCOPE_OF_ALL, type Tx } from "@/lib/db";
import { digitsOf } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { methods } from "@/lib/methods/methods";
import { move } from "@/lib/move";
import type { CallKey, CallKind, Lost, SendingCall, WrittenCall } from "@/lib/outside/calls";
import { watchOn } from "@/lib/outside/watch";
import { acquirerFor, acquirerNamed } from "@/lib/rails/cards/acquirers";
import { railNamed } from "@/lib/rails/pix/rails";
import { SENT_BACK, type SentBack } from "@/lib/rails/sent-back";
import { unmatchedNoun } from "@/lib/unmatched/noun";
import { findReturned, lookForReturned } from "@/lib/unmatched/read";
import { isSentBackInSandbox } from "@/lib/unmatched/simulate";
import type { UnmatchedReceipt } from "@/prisma/client/client";

/**
 * The call that sends unmatched money back to its payer over the rail that brought it. Our id of the call is the return's,
 * which the rail knows without hyphens.
 */
export const unmatchedReturn = {
  ...{ name: "unmatched_return", isIdempotent: true },
  ...sendingBack(byRail),
  readUnmade: (ids: readonly string[]) => runPrepared<CallKey>("returns_unmade", UNMADE, [ids]),
} satisfies CallKind<SentBack>;

/** The same to the card that was charged, with the precautions of a card's refund (`lib/refunds/call.ts`). */
export const cardUnmatchedReturn = {
  ...{ name: "card_unmatched_return", isResentWhenLost: true },
  ...sendingBack(byAcquirer),
} satisfies CallKind<SentBack>;

/** The calls of returns of all methods. */
export const returnCalls = [unmatchedReturn, cardUnmatchedReturn] as const;

type Held = Pick<UnmatchedReceipt, "method" | "mode" | "provider">;

/** The call that sends this money back. */
export const returnCallOf = ({ method }: Held) =>
  methods[method].refundedBy === "rail" ? unmatchedReturn : cardUnmatchedReturn;

/** Who sends this money back; null where nobody is configured. */
export function returnerOf({ method, mode, provider }: Held): string | null {
  if (methods[method].refundedBy === "rail") return railNamed(provider)?.provider ?? null;
  return acquirerFor(mode)?.provider ?? null;
}

/** One step of the index of returns for each, whichever account the money is kept with. */
const UNMADE = `with ${SCOPE_OF_ALL}
  select u.account_id as "accountId", u.return_id as id from scope cross join unnest($1::uuid[]) as watched(id)
  cross join lateral (
    select account_id, return_id from unmatched_receipts
    where scope.name is not null and return_id = watched.id and status <> 'returned' offset 0
  ) u`;

type Mover = { send(isRepeat: boolean): Promise<SentBack | Lost>; find(): Promise<SentBack | null> };

/** What both calls do. The money is on its way (`returning`) since the return was decided, so nothing else takes it. */
function sendingBack(moverOf: (found: UnmatchedReceipt, provider: string) => Mover) {
  return {
    owners: () => Object.values(platforms),

    async send(tx: Tx, call: SendingCall) {
      const found = await findReturned(queryOf(tx), call);
      if (found.status !== "returning") return undefined;
      const { send } = moverOf(found, call.provider);
      return () => send(call.isRepeat);
    },

    find: async (call: WrittenCall) =>
      moverOf(await readFor(call.accountId, (tx) => findReturned(queryOf(tx), call)), call.provider).find(),

    write: async (query: Query, call: WrittenCall, answer: SentBack | Lost) => {
      const found = await findReturned(query, call);
      if (answer.status === "completed") return complete(query, found, answer.returnId);
      return fail(query, found, call.provider, answer.status === "failed" ? answer.reason : null);
    },

    /** Money that went back after all, although its provider had said otherwise. What somebody else got since is for a person. */
    async writeSecond(query: Query, call: WrittenCall, answer: SentBack | Lost) {
      if (answer.status !== "completed") return;
      const found = await lookForReturned(query, call);
      if (found?.status === "open") await complete(query, found, answer.returnId, "completeLate");
      else if (found?.status !== "returned")
        log.error({ ...call, status: found?.status }, "money went back that was decided otherwise meanwhile");
    },
  };
}

function byRail(found: UnmatchedReceipt, provider: string): Mover {
  const rail = railNamed(provider);
  if (!rail) throw new Error(`No rail is named ${provider}`);
  const name = { endToEndId: found.endToEndId, id: digitsOf(returnIdOf(found)) };
  const amount = Number(found.amount);
  const { endSentBack } = rail;
  if (!endSentBack)
    return { send: (isRepeat) => rail.sendBack({ ...name, amount, isRepeat }), find: () => rail.findSentBack(name) };
  // A simulated payer's bank decides at once, because nobody waits for it as for a refund.
  const ended = async <T extends SentBack | Lost | null>(answer: T) => {
    if (answer?.status !== "accepted") return answer;
    await endSentBack({ ...name, isCompleted: isSentBackInSandbox(amount) });
    return (await rail.findSentBack(name)) ?? answer;
  };
  return {
    send: async (isRepeat) => ended(await rail.sendBack({ ...name, amount, isRepeat })),
    find: async () => ended(await rail.findSentBack(name)),
  };
}

function byAcquirer(found: UnmatchedReceipt, provider: string): Mover {
  const acquirer = acquirerNamed(provider);
  if (!acquirer) throw new Error(`No acquirer is named ${provider}`);
  const sent = { chargeId: found.endToEndId, id: returnIdOf(found), amount: Number(found.amount), before: 0 };
  return { send: () => acquirer.sendBack(sent), find: () => acquirer.findSentBack(sent) };
}

function returnIdOf({ id, returnId }: UnmatchedReceipt): string {
  if (!returnId) throw new Error(`${id} is not returned`);
  return returnId;
}

/** The money is with its payer. Its posting has the money's own id, because all of it goes back once. */
async function complete(
  query: Query,
  found: UnmatchedReceipt,
  receipt: string | null,
  how: "complete" | "completeLate" = "complete",
): Promise<undefined> {
  const { accountId, id, method, mode, amount, provider: rail } = found;
  const fact = {
    type: methods[method].postings.unmatchedReturned,
    sourceId: id,
    owners: { platform: platforms[mode], rail },
  };
  const posts = [{ ...fact, amounts: { amount: Number(amount) } }];
  const [moved] = await move(query, unmatchedNoun, how, [{ accountId, id, facts: { receipt }, posts }]);
  if (!moved) throw new Error(`${id} was not on its way`);
}

/** Its rail is asked about it for some days more, because it may have been made after all. */
async function fail(
  query: Query,
  found: UnmatchedReceipt,
  provider: string,
  failure: string | null,
): Promise<undefined> {
  const { accountId, id } = found;
  log.warn({ accountId, id, failure }, "unmatched money was not sent back, and waits for a person");
  await move(query, unmatchedNoun, "fail", [{ accountId, id, facts: { failure } }]);
  await watchOn(query, SENT_BACK, provider, returnIdOf(found));
}
