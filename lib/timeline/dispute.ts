import type { Tx } from "@/lib/db";
import { decimal } from "@/lib/money";
import type { Entry } from "@/lib/timeline/entry";
import { entriesOfRecords } from "@/lib/timeline/record";

/** How many disputes of a sale are in its timeline, the latest. */
const SHOWN = 20;

type Which = { accountId: string } & ({ id: string } | { transactionId: string });

/** What happened around one dispute, or around all of a sale: their events and the ledger lines of them, their parts and blocks. */
export async function entriesOfDisputes(tx: Tx, which: Which): Promise<Entry[]> {
  const latest = { orderBy: { id: "desc" }, take: SHOWN } as const;
  const part = { select: { id: true } };
  const disputes = await tx.dispute.findMany({
    where: which,
    ...latest,
    select: { id: true, shares: part, blocks: part },
  });
  if (disputes.length === 0) return [];
  const ids = disputes.map(({ id }) => id);
  const sources = disputes.flatMap(({ id, shares, blocks }) => [id, ...[...shares, ...blocks].map((one) => one.id)]);
  return entriesOfRecords(tx, which.accountId, ids, { sources, detailOf: amountOf, reasonOf: () => null });
}

/** The amount tells a sale's disputes apart. */
const amountOf = (record: unknown) => decimal((record as { amount: number }).amount);
