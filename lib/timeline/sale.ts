import type { Tx } from "@/lib/db";
import { decimal } from "@/lib/money";
import type { Share } from "@/lib/splits/share";
import { type Entry, onlyReal, plain } from "@/lib/timeline/entry";
import { entriesOfRecord, entriesOfRecords } from "@/lib/timeline/record";
import { CARDS } from "@/lib/unmatched/receive";
import type { Transaction } from "@/prisma/client/client";

/** What happened around a sale and its shares, and the money that came for it and matched nothing. */
export async function entriesOfSale(tx: Tx, sale: Transaction, shares: readonly Pick<Share, "id">[]): Promise<Entry[]> {
  const sources = [sale.id, ...shares.map(({ id }) => id)];
  return [...(await entriesOfRecord(tx, sale, sources)), ...(await unmatched(tx, sale))];
}

/** Money that came for this sale and did not complete it: when it came, and what was done with it. */
async function unmatched(tx: Tx, { accountId, id: saleId }: Transaction): Promise<Entry[]> {
  const receipts = await tx.unmatchedReceipt.findMany({
    where: { accountId, saleId },
    take: SHOWN,
    orderBy: { id: "desc" },
  });
  const came = receipts.map(
    ({ provider, endToEndId, createdAt, reason, amount }): Entry => ({
      ...{ ...plain, ...onlyReal(createdAt), id: endToEndId },
      kind: "unmatched",
      title: reason,
      status: decimal(amount),
      detail: provider === CARDS ? null : endToEndId,
    }),
  );
  const ids = receipts.map(({ id }) => id);
  return [...came, ...(ids.length === 0 ? [] : await entriesOfRecords(tx, accountId, ids, { detailOf, reasonOf }))];
}

const detailOf = (record: unknown) => decimal((record as { amount: number }).amount);
const reasonOf = (record: unknown) => (record as { decision?: string }).decision ?? null;

/** How many of them are shown. */
const SHOWN = 100;
