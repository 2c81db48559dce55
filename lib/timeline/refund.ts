import type { Tx } from "@/lib/db";
import { decimal } from "@/lib/money";
import type { Entry } from "@/lib/timeline/entry";
import { entriesOfRecords } from "@/lib/timeline/record";
import type { RefundStatus } from "@/prisma/client/enums";

/** How many refunds of a sale are in its timeline, the latest. */
const SHOWN = 50;

type Which = { accountId: string } & ({ id: string } | { transactionId: string });

/** What happened around one refund, or around all of a sale: their events and the ledger lines of them and their parts. */
export async function entriesOfRefunds(tx: Tx, which: Which): Promise<Entry[]> {
  const { accountId } = which;
  const latest = { orderBy: { id: "desc" }, take: SHOWN } as const;
  const refunds = await tx.refund.findMany({
    where: which,
    ...latest,
    select: { id: true, shares: { select: { id: true } } },
  });
  if (refunds.length === 0) return [];
  const ids = refunds.map(({ id }) => id);
  const parts = refunds.flatMap(({ shares }) => shares.map(({ id }) => id));
  return entriesOfRecords(tx, accountId, ids, { sources: [...ids, ...parts], detailOf: amountOf, reasonOf });
}

/** The amount tells a sale's refunds apart. */
const amountOf = (record: unknown) => decimal((record as { amount: number }).amount);

/** What was written with the request, and with a refusal. */
function reasonOf(record: unknown): string | null {
  const { status, reason_details, rejection_reason } = record as Reasons;
  return (status === "pending" ? reason_details : status === "rejected" ? rejection_reason : null) ?? null;
}

type Reasons = { status: RefundStatus; reason_details?: string; rejection_reason?: string };
