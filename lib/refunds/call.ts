import { type Query, queryOf, readFor, runPrepared, SCOPE_OF_ALL, type Tx } from "@/lib/db";
import { digitsOf } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { methods } from "@/lib/methods/methods";
import { move } from "@/lib/move";
import type { CallKey, CallKind, Lost, SendingCall, WrittenCall } from "@/lib/outside/calls";
import { watchOn } from "@/lib/outside/watch";
import { acquirerFor, acquirerNamed } from "@/lib/rails/cards/acquirers";
import { railFor, railNamed } from "@/lib/rails/pix/rails";
import { SENT_BACK, type SentBack } from "@/lib/rails/sent-back";
import { refundNoun } from "@/lib/refunds/noun";
import { completionOf, lateCompletionOf, recipientsOf, releaseOf } from "@/lib/refunds/postings";
import { findRefund, readReturnedBefore } from "@/lib/refunds/read";
import type { RefundRecord } from "@/lib/refunds/record";
import { moveSales, refundPart } from "@/lib/transactions/move";
import { lockSale } from "@/lib/transactions/sale";
import { mayMove } from "@/lib/transactions/states";

/**
 * The call that sends the money of a refund back to its payer over the rail that brought it. Our id of the call is the
 * refund's, which the rail knows without hyphens.
 */
export const refundCall = {
  ...{ name: SENT_BACK, isIdempotent: true },
  ...sendingBack(byRail),

  /** Money that went back after all, although its rail had said otherwise. */
  async writeSecond(query: Query, call: WrittenCall, answer: SentBack | Lost) {
    if (answer.status !== "completed") return;
    const { refund } = await findRefund(query, call.accountId, call.id);
    if (refund.status !== "failed") return;
    log.error(keyOf(call), "a refund was made after its money was given back");
    await complete(query, call, answer.returnId, "complete_late");
  },

  readUnmade: (ids: readonly string[]) => runPrepared<CallKey>("refunds_unmade", UNMADE, [ids]),
} satisfies CallKind<SentBack>;

/** One step of the index of failed refunds for each. */
const UNMADE = `with ${SCOPE_OF_ALL}
  select r.account_id as "accountId", r.id from scope cross join unnest($1::uuid[]) as watched(id) cross join lateral (
    select account_id, id from refunds where scope.name is not null and id = watched.id and status = 'failed' offset 0
  ) r`;

const keyOf = ({ accountId, id }: CallKey): CallKey => ({ accountId, id });

/**
 * The same to the card that was charged. Not every acquirer knows an id of ours, so it is sent again only where surely
 * nothing was sent, or no more has gone back a quarter of an hour later than before it.
 */
export const cardRefundCall = {
  ...{ name: "card_refund", isResentWhenLost: true },
  ...sendingBack(byAcquirer),
} satisfies CallKind<SentBack>;

/** The calls of refunds of all methods. */
export const refundCalls = [refundCall, cardRefundCall] as const;

/** The call that sends the money of this refund back. */
export const callOf = ({ sale }: RefundRecord) =>
  methods[sale.method].refundedBy === "rail" ? refundCall : cardRefundCall;

/** How the money of a refund moves. */
type Mover = { send(isRepeat: boolean): Promise<SentBack | Lost>; find(): Promise<SentBack | null> };

/**
 * What both calls do. That the money is on its way is written before its provider is asked, so that nothing else ends the
 * refund meanwhile.
 */
function sendingBack(moverOf: (query: Query, found: RefundRecord, provider: string) => Promise<Mover> | Mover) {
  return {
    owners: async ({ accountId, id }: CallKey) => [
      ...Object.values(platforms),
      ...(await readFor(accountId, (tx) => recipientsOf(tx, accountId, id))),
    ],

    async send(tx: Tx, { accountId, id, provider, isRepeat }: SendingCall) {
      const query = queryOf(tx);
      await move(query, refundNoun, "process", [{ accountId, id }]);
      const found = await findRefund(query, accountId, id);
      if (found.refund.status !== "processing") return undefined;
      const { send } = await moverOf(query, found, provider);
      return () => send(isRepeat);
    },

    async find({ accountId, id, provider }: WrittenCall) {
      const { find } = await readFor(accountId, async (tx) => {
        const query = queryOf(tx);
        return moverOf(query, await findRefund(query, accountId, id), provider);
      });
      return find();
    },

    write: (query: Query, call: WrittenCall, answer: SentBack | Lost) => {
      if (answer.status === "completed") return complete(query, call, answer.returnId);
      return fail(query, call, answer.status === "failed" ? answer.reason : null);
    },
  };
}

function byRail(_query: Query, found: RefundRecord, provider: string): Mover {
  const rail = railNamed(provider);
  if (!rail) throw new Error(`No rail is named ${provider}`);
  const [name, amount] = [nameOf(found), Number(found.refund.amount)];
  return { send: (isRepeat) => rail.sendBack({ ...name, amount, isRepeat }), find: () => rail.findSentBack(name) };
}

async function byAcquirer(query: Query, { refund, sale }: RefundRecord, provider: string): Promise<Mover> {
  const acquirer = acquirerNamed(provider);
  if (!acquirer) throw new Error(`No acquirer is named ${provider}`);
  const before = await readReturnedBefore(query, refund);
  const sent = { chargeId: sale.id, id: refund.id, amount: Number(refund.amount), before };
  return { send: () => acquirer.sendBack(sent), find: () => acquirer.findSentBack(sent) };
}

/** Who sends the money of a refund back: of a Pix the rail that received it. Null where nobody is configured. */
export function providerOf({ refund, sale }: RefundRecord): string | null {
  const { refundedBy } = methods[sale.method];
  if (refundedBy === "acquirer") return acquirerFor(refund.mode)?.provider ?? null;
  return sale.provider ?? railFor(refund.mode)?.provider ?? null;
}

/** The payment's id, and ours of the refund in the letters and digits that the Central Bank's API Pix wants. */
export const nameOf = ({ refund, sale }: RefundRecord) => ({
  endToEndId: sale.end_to_end_id ?? "",
  id: digitsOf(refund.id),
});

/** The money is with its payer: the sale says so, recipients have given back their parts, and the fee is due. */
async function complete(
  query: Query,
  { accountId, id, provider }: WrittenCall,
  returnId: string | null,
  how: "complete" | "complete_late" = "complete",
): Promise<undefined> {
  const { refund } = await findRefund(query, accountId, id);
  const sale = await lockSale(query, { accountId, id: refund.transactionId });
  if (!sale) throw new Error(`No sale of ${id}`);
  const facts = { receipt: { provider, return_id: returnId } };
  const posts = await (how === "complete"
    ? completionOf(query, refund, { method: sale.method, provider })
    : lateCompletionOf(query, refund, sale, provider));
  const [moved] = await move(query, refundNoun, how, [{ accountId, id, facts, posts }]);
  if (!moved) throw new Error(`${id} was not on its way`);
  const amount = Number(refund.amount);
  const isWhole = sale.refundedAmount + refund.amount === sale.amount;
  const change = { accountId, id: sale.id, refunded: amount };
  const isRefunded = isWhole && mayMove("refund", sale);
  const [changed] = await (isRefunded ? moveSales(query, "refund", [change]) : refundPart(query, [change]));
  if (!changed) throw new Error(`The sale of ${id} was never paid`);
}

/** Its rail is asked about it for some days more, because it may have been made after all. */
async function fail(query: Query, call: WrittenCall, reason: string | null): Promise<undefined> {
  const { accountId, id, provider } = call;
  log.warn({ accountId, refundId: id, reason }, "a rail did not send a refund back");
  await move(query, refundNoun, "fail", [{ accountId, id, posts: await releaseOf(query, call) }]);
  await watchOn(query, SENT_BACK, provider, id);
}
