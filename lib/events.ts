import type { Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { enqueueSoon } from "@/lib/jobs/enqueue";

/** Everything that can happen, named as the event contract names it on the wire. */
export type EventType = "transaction.created" | "transaction.updated";

export type NewEvent = {
  accountId: string;
  type: EventType;
  subjectId: string;
  /** What was true at that moment and may change later; the rest is read from the subject. */
  data: { status: string; previous_status: string | null };
  requestId?: string | undefined;
  occurredAt: Date;
};

/** Writes what happened in the transaction that made it happen, and promises its webhooks. Returns the event's id. */
export async function emit(tx: Tx, event: NewEvent): Promise<string> {
  const id = newId();
  await tx.event.create({ data: { id, ...event, requestId: event.requestId ?? null } });
  await enqueueSoon(tx, "webhooks.dispatch", { accountId: event.accountId, eventId: id });
  return id;
}
