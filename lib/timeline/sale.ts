import type { Tx } from "@/lib/db";
import { decimal } from "@/lib/money";
import type { Share } from "@/lib/splits/share";
import { type Entry, onlyReal, plain } from "@/lib/timeline/entry";
import { entriesOfRecord } from "@/lib/timeline/record";
import { CARDS } from "@/lib/unmatched/receive";
import type { Transaction } from "@/prisma/client/client";

/** What happened around a sale and its shares, and the money that came for it and matched nothing. */
export async function entriesOfSale(tx: Tx, sale: Transaction, shares: readonly Pick<Share, "id">[]): Promise<Entry[]> {
  const sources = [sale.id, ...shares.map(({ id }) => id)];
  return [...(await entriesOfRecord(tx, sale, sources)), ...(await unmatched(tx, sale))];
}

/** Money that a provider holds for us under this sale's code or id and that completed no sale. */
async function unmatched(tx: Tx, { id, txid }: Transaction): Promise<Entry[]> {
  const byCard = { provider: CARDS, endToEndId: id };
  const receipts = await tx.unmatchedReceipt.findMany({ where: { OR: [byCard, ...(txid ? [{ txid }] : [])] } });
  return receipts.map(({ provider, endToEndId, createdAt, reason, amount }) => ({
    ...{ ...plain, ...onlyReal(createdAt), id: endToEndId },
    kind: "unmatched",
    title: reason,
    status: decimal(amount),
    detail: provider === CARDS ? null : endToEndId,
  }));
}
