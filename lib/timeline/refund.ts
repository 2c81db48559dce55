import type { Tx } from "@/lib/db";
import { realTime } from "@/lib/ids";
import type { Template } from "@/lib/mail/templates";
import { decimal } from "@/lib/money";
import { type Entry, plain } from "@/lib/timeline/entry";
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
  const entries = await entriesOfRecords(tx, accountId, ids, {
    sources: [...ids, ...parts],
    detailOf: amountOf,
    reasonOf,
  });
  return [...entries, ...(await mailsOf(tx, accountId, ids))];
}

/** The mails about these refunds, whose intents name them and who of the team was written to (`lib/refunds/mail-refunds.ts`). */
async function mailsOf(tx: Tx, accountId: string, ids: readonly string[]): Promise<Entry[]> {
  const team = await tx.membership.findMany({ where: { OR: [{ accountId }, { sandboxId: accountId }] } });
  const intents = ids.flatMap((id) => [
    `payer_refunded:${id}`,
    ...toSellers.flatMap((template) => team.map(({ userId }) => `${template}:${id}:${userId}`)),
  ]);
  const mails = await tx.mail.findMany({
    where: { accountId, intent: { in: intents } },
    orderBy: { id: "asc" },
    select: { id: true, template: true, status: true, sentBy: true, recipient: true, occurredAt: true },
  });
  return mails.map(({ id, template, status, sentBy, recipient, occurredAt }) => ({
    ...{ ...plain, id, kind: "mail", title: template, status: sentBy === "inbox" ? "kept" : status, detail: recipient },
    ...{ occurredAt, real: realTime(id) },
  }));
}

const toSellers: readonly Template[] = ["refund_rejected", "refund_failed", "refund_completed"];

/** The amount tells a sale's refunds apart. */
const amountOf = (record: unknown) => decimal((record as { amount: number }).amount);

/** What was written with the request, and with a refusal. */
function reasonOf(record: unknown): string | null {
  const { status, reason_details, rejection_reason } = record as Reasons;
  return (status === "pending" ? reason_details : status === "rejected" ? rejection_reason : null) ?? null;
}

type Reasons = { status: RefundStatus; reason_details?: string; rejection_reason?: string };
