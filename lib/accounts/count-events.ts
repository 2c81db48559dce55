import { type Cause, countStored } from "@/lib/accounts/storage";
import { type Consumer, type Happened, isByVisitor } from "@/lib/events/consume";
import { methods } from "@/lib/methods/methods";
import type { TransactionMethod } from "@/prisma/client/enums";

/** What is written with an event: fixed bytes, and how often the record's own. */
type Written = readonly [fixed: number, records: number];

/** A sale that changes otherwise than by being made or paid: another version of its row, and the event. */
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
  const { method } = record as { method: TransactionMethod };
  const { made, paid } = methods[method].stored;
  if (type === "transaction.created") return made;
  return (data as { status?: string }).status === "completed" ? paid : moved;
}
