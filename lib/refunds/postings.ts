import type { Query, Tx } from "@/lib/db";
import { platforms } from "@/lib/ledger/chart";
import type { Fact } from "@/lib/ledger/post";
import { methods } from "@/lib/methods/methods";
import { lockSale } from "@/lib/transactions/sale";
import type { Refund } from "@/prisma/client/client";
import type { TransactionMethod } from "@/prisma/client/enums";

type Key = { accountId: string; id: string };
type Part = { id: string; recipientId: string; amount: number; isHeld: boolean };

/**
 * The facts to post when a refund ends without money moving: all that it holds goes back where it came from, or is available
 * where the sale was settled meanwhile. Locks the sale.
 */
export async function releaseOf(query: Query, { accountId, id }: Key): Promise<Fact[]> {
  const [refund] = await query<Held>("refund_held", HELD, [accountId, id]);
  if (!refund) return [];
  const sale = await lockSale(query, { accountId, id: refund.transactionId });
  const isSettled = sale?.settledAt !== null;
  const held = (await partsOf(query, { accountId, id })).filter(({ isHeld }) => isHeld);
  const rest = refund.total - refund.pending - held.reduce((sum, { amount }) => sum + amount, 0);
  const amounts = isSettled ? { rest: rest + refund.pending, pending: 0 } : { rest, pending: refund.pending };
  return [
    { type: "refund_released", sourceId: id, owners: { account: accountId }, amounts },
    ...held.map(({ id: sourceId, recipientId: recipient, amount }): Fact => {
      const amounts = isSettled ? { settled: amount, pending: 0 } : { settled: 0, pending: amount };
      return { type: "share_released", sourceId, owners: { recipient }, amounts };
    }),
  ];
}

type Held = { transactionId: string; pending: number; total: number };

const HELD = `select transaction_id as "transactionId", pending_amount::float8 as pending, (amount + fee)::float8 as total
  from refunds where account_id = $1::uuid and id = $2::uuid`;

/**
 * The facts to post when the money is with its payer: the amount leaves for the rail, the fee is the platform's, and
 * recipients give back their parts, below zero where they have spent them.
 */
export async function completionOf(
  query: Query,
  { accountId: account, id, mode, amount, fee }: Refund,
  { method, provider: rail }: { method: TransactionMethod; provider: string },
): Promise<Fact[]> {
  const parts = await partsOf(query, { accountId: account, id });
  return [
    {
      ...{ type: methods[method].postings.refunded, sourceId: id },
      owners: { account, platform: platforms[mode], rail },
      amounts: { amount: Number(amount), fee: Number(fee) },
    },
    ...parts.map(({ id: sourceId, recipientId: recipient, amount: share, isHeld }): Fact => {
      const type = isHeld ? "held_share_returned" : "share_returned";
      return { type, sourceId, owners: { account, recipient }, amounts: { share } };
    }),
  ];
}

/**
 * The same after it had failed and what it held was released: the seller's is taken from what is available, below zero if need
 * be. Only of a Pix, whose money was available when it was refunded.
 */
export async function lateCompletionOf(
  query: Query,
  { accountId: account, id, mode, amount, fee }: Refund,
  rail: string,
): Promise<Fact[]> {
  const parts = await partsOf(query, { accountId: account, id });
  return [
    {
      ...{ type: "refund_completed_late", sourceId: id, owners: { account, platform: platforms[mode], rail } },
      amounts: { amount: Number(amount), fee: Number(fee) },
    },
    ...parts.map(({ id: sourceId, recipientId: recipient, amount: share }): Fact => {
      return { type: "share_returned", sourceId, owners: { account, recipient }, amounts: { share } };
    }),
  ];
}

const partsOf = (query: Query, { accountId, id }: Key) => query<Part>("refund_parts", PARTS, [accountId, id]);

const PARTS = `select id, recipient_id as "recipientId", amount::float8 as amount, is_held as "isHeld" from refund_shares
  where account_id = $1::uuid and refund_id = $2::uuid order by id`;

/** The recipients that have part in a refund, who never change. */
export async function recipientsOf(tx: Tx, accountId: string, refundId: string): Promise<string[]> {
  const rows = await tx.refundShare.findMany({ where: { accountId, refundId }, select: { recipientId: true } });
  return rows.map(({ recipientId }) => recipientId);
}
