import type { z } from "zod";
import { readFor, type Tx } from "@/lib/db";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { OrderError, Tracking } from "@/lib/tracking/schema";

/** How many of the last orders are shown. */
const SHOWN = 20;

/** The account's tracking integration, and what was sent last, newest first. */
export const readTracking = (accountId: string) => readFor(accountId, (tx) => presentTracking(tx, accountId));

/** The same within a transaction. */
export async function presentTracking(tx: Tx, accountId: string): Promise<z.input<typeof Tracking>> {
  const active = await tx.trackingIntegration.findUnique({ where: { accountId } });
  const orders = await tx.trackingOrder.findMany({ where: { accountId }, orderBy: { eventId: "desc" }, take: SHOWN });
  return {
    data: {
      ...{ active: active !== null, last4: active?.tokenLast4 ?? null, since: isoOrNull(active?.since ?? null) },
      orders: orders.map((order) => ({
        ...{ event_id: order.eventId, reference_id: order.transactionId, attempts: order.attempts },
        status: order.status as "pending",
        ...{ answer_status: order.answerStatus, answer: order.answer, error: order.error as OrderError | null },
        ...{ created_at: iso(order.createdAt), sent_at: isoOrNull(order.sentAt) },
        next_attempt_at: isoOrNull(order.nextAttemptAt),
      })),
    },
  };
}
