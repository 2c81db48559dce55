import type { Query, Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import type { Fact } from "@/lib/ledger/post";
import { methods } from "@/lib/methods/methods";
import { partsOf } from "@/lib/reversals/part";
import { readKept } from "@/lib/reversals/used";
import type { Share } from "@/lib/splits/share";
import { lockSale, type Sale } from "@/lib/transactions/sale";
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
  const held = (await readParts(query, { accountId, id })).filter(({ isHeld }) => isHeld);
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
  const parts = await readParts(query, { accountId: account, id });
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
 * be. What recipients give back is written anew, because others may have gone back of the sale meanwhile. Only of a Pix, whose
 * money was available when it was refunded, with its sale locked and its recipients in scope.
 */
export async function lateCompletionOf(
  query: Query,
  { accountId: account, id, mode, amount, fee }: Refund,
  sale: Pick<Sale, "accountId" | "id" | "amount" | "refundedAmount">,
  rail: string,
): Promise<Fact[]> {
  const shares = await query<LateShare>("refund_late_shares", LATE_SHARES, [account, id]);
  const { underWay, shares: kept } = await readKept(query, sale, null);
  const [gross, before] = [Number(sale.amount), Number(sale.refundedAmount) + underWay];
  const given = partsOf({ shares, gross, before, amount: Number(amount), kept });
  const parts = shares.flatMap(({ id: shareId, recipientId, partId }, at) => {
    const amount = given[at] ?? 0;
    return amount === 0 && !partId ? [] : [{ id: partId ?? newId(), shareId, recipientId, amount }];
  });
  await query("refund_late_parts", WRITE_PARTS, [account, id, JSON.stringify(parts)]);
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

type LateShare = Pick<Share, "id" | "recipientId" | "amount"> & { partId: string | null };

const LATE_SHARES = `select s.id, s.recipient_id as "recipientId", s.amount::float8 as amount, p.id as "partId"
  from refunds r
  join shares s on s.account_id = r.account_id and s.transaction_id = r.transaction_id
  left join refund_shares p on p.account_id = r.account_id and p.refund_id = r.id and p.share_id = s.id
  where r.account_id = $1::uuid and r.id = $2::uuid
  order by s.place`;

const WRITE_PARTS = `insert into refund_shares (account_id, refund_id, id, share_id, recipient_id, amount, is_held)
  select $1::uuid, $2::uuid, part.id, part."shareId", part."recipientId", part.amount, false
  from json_to_recordset($3::json) as part(id uuid, "shareId" uuid, "recipientId" uuid, amount bigint)
  on conflict (account_id, id) do update set amount = excluded.amount`;

const readParts = (query: Query, { accountId, id }: Key) => query<Part>("refund_parts", PARTS, [accountId, id]);

const PARTS = `select id, recipient_id as "recipientId", amount::float8 as amount, is_held as "isHeld" from refund_shares
  where account_id = $1::uuid and refund_id = $2::uuid order by id`;

/** The recipients of a refund's sale, who never change. */
export async function recipientsOf(tx: Tx, accountId: string, refundId: string): Promise<string[]> {
  const where = { accountId, transaction: { refunds: { some: { accountId, id: refundId } } } };
  const rows = await tx.share.findMany({ where, select: { recipientId: true } });
  return rows.map(({ recipientId }) => recipientId);
}
