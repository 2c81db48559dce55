import { type Cause, countStored } from "@/lib/accounts/storage";
import { type Consumer, type Happened, isByVisitor } from "@/lib/events/consume";

/** What is written with an event: fixed bytes, and how often the record's own. */
type Written = readonly [fixed: number, records: number];

/**
 * A sale that is made: its row, which has what the event's record has, the event, and both in the outbox and in indexes.
 * By card also the call, what our rules need of it, and the simulated acquirer's record.
 */
const made = { pix: [0, 2.3], card: [2_900, 1.6] } satisfies Record<string, Written>;
/** A sale that is paid: another version of its row, its postings, and by Pix the callback and the simulated PSP's record. */
const paid = { pix: [4_000, 1.7], card: [3_900, 1.7] } satisfies Record<string, Written>;
const moved: Written = [900, 1.7];
/** What happened to a subscription: the event, and a new version of the subscription and of its cycle. */
const subscribed: Written = [450, 1.5];

/** A subscription that begins: the subscriber too, and the first rows of both. */
const begun: Written = [1_700, 1.5];

/** Counts what was written with each event; what an anonymous visitor caused apart. A consumer of events. */
export const countWritten: Consumer = async (_query, events) => {
  const counted = events.map((event) => [event, bytesOf(event), causeOf(event)] as const);
  return () => {
    for (const [{ accountId }, bytes, cause] of counted) countStored(accountId, bytes, cause);
  };
};

const causeOf = (event: Happened): Cause => (isByVisitor(event) ? "visitors" : "account");

function bytesOf(event: Happened): number {
  const [fixed, records] = writtenWith(event);
  return fixed + records * Buffer.byteLength(JSON.stringify(event.record));
}

function writtenWith({ subject, type, data, record }: Happened): Written {
  if (type === "subscription.created") return begun;
  if (subject !== "transaction") return subscribed;
  const { method } = record as { method: "pix" | "card" };
  if (type === "transaction.created") return made[method];
  return (data as { status?: string }).status === "completed" ? paid[method] : moved;
}
