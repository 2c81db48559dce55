import { type Query, queryOf, readFor } from "@/lib/db";
import { platforms } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { methods } from "@/lib/methods/methods";
import { move } from "@/lib/move";
import type { CallKey, CallKind, Lost, WrittenCall } from "@/lib/outside/calls";
import { acquirerFor, acquirerNamed } from "@/lib/rails/cards/acquirers";
import { railFor, railNamed } from "@/lib/rails/pix/rails";
import type { SentBack } from "@/lib/rails/sent-back";
import { refundNoun } from "@/lib/refunds/noun";
import { completionOf, recipientsOf, releaseOf } from "@/lib/refunds/postings";
import { findRefund } from "@/lib/refunds/read";
import type { RefundRecord } from "@/lib/refunds/record";
import { moveSales, refundPart } from "@/lib/transactions/move";
import { lockSale } from "@/lib/transactions/sale";

/**
 * The call that sends the money of a refund back to its payer. Our id of the call is the refund's, which the rail knows
 * without hyphens. That it is on its way is written before the rail is asked, so that nothing else ends it meanwhile.
 */
export const refundCall = {
  name: "refund",
  isIdempotent: true,
  owners: async ({ accountId, id }) => [
    ...Object.values(platforms),
    ...(await readFor(accountId, (tx) => recipientsOf(tx, accountId, id))),
  ],

  async send(tx, { accountId, id, provider }) {
    const query = queryOf(tx);
    await move(query, refundNoun, "process", [{ accountId, id }]);
    const found = await findRefund(query, accountId, id);
    if (found.refund.status !== "processing") return undefined;
    return () => moverOf(found, provider).send(Number(found.refund.amount));
  },

  async find({ accountId, id, provider }) {
    return moverOf(await readFor(accountId, (tx) => findRefund(queryOf(tx), accountId, id)), provider).find();
  },

  write: (query, call, answer) => {
    if (answer.status === "completed") return complete(query, call, answer.returnId);
    return fail(query, call, answer.status === "failed" ? answer.reason : null);
  },
} satisfies CallKind<SentBack>;

/** How the money of a refund moves: back over the rail that brought it, or back to the card that was charged. */
type Mover = { send(amount: number): Promise<SentBack | Lost>; find(): Promise<SentBack | null> };

function moverOf(found: RefundRecord, provider: string): Mover {
  const { refund, sale } = found;
  if (methods[sale.method].refundedBy === "rail") {
    const rail = railNamed(provider);
    if (!rail) throw new Error(`No rail is named ${provider}`);
    const name = nameOf(found);
    return { send: (amount) => rail.sendBack({ ...name, amount }), find: () => rail.findSentBack(name) };
  }
  const { sendBack, findSentBack } = acquirerNamed(provider) ?? {};
  if (!sendBack || !findSentBack) throw new Error(`No acquirer that sends money back is named ${provider}`);
  const name = { chargeId: sale.id, id: refund.id };
  return { send: (amount) => sendBack({ ...name, amount }), find: () => findSentBack(name) };
}

/** Who sends the money of a refund back; null where nobody can. */
export function providerOf({ refund, sale }: RefundRecord): string | null {
  if (methods[sale.method].refundedBy === "rail") return railFor(refund.mode)?.provider ?? null;
  const acquirer = acquirerFor(refund.mode);
  return acquirer?.sendBack ? acquirer.provider : null;
}

/** The payment's id, and ours of the refund in the letters and digits that the Central Bank's API Pix wants. */
export const nameOf = ({ refund, sale }: RefundRecord) => ({
  endToEndId: sale.end_to_end_id ?? "",
  id: refund.id.replaceAll("-", ""),
});

/** The money is with its payer: the sale says so, recipients have given back their parts, and the fee is due. */
async function complete(
  query: Query,
  { accountId, id, provider }: WrittenCall,
  returnId: string | null,
): Promise<undefined> {
  const { refund } = await findRefund(query, accountId, id);
  const sale = await lockSale(query, { accountId, id: refund.transactionId });
  if (!sale) throw new Error(`No sale of ${id}`);
  const facts = { receipt: { provider, return_id: returnId } };
  const posts = await completionOf(query, refund, sale.method);
  const [moved] = await move(query, refundNoun, "complete", [{ accountId, id, facts, posts }]);
  if (!moved) throw new Error(`${id} was not on its way`);
  const amount = Number(refund.amount);
  const isWhole = sale.refundedAmount + refund.amount === sale.amount;
  const change = { accountId, id: sale.id, refunded: amount };
  await (isWhole ? moveSales(query, "refund", [change]) : refundPart(query, [change]));
}

async function fail(query: Query, key: CallKey, reason: string | null): Promise<undefined> {
  const { accountId, id } = key;
  log.warn({ accountId, refundId: id, reason }, "a rail did not send a refund back");
  await move(query, refundNoun, "fail", [{ accountId, id, posts: await releaseOf(query, key) }]);
}
