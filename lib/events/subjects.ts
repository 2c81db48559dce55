import { dispute } from "@/lib/disputes/subject";
import type { About, KeptEvent, OpenEvent } from "@/lib/events/subject";
import { refund } from "@/lib/refunds/subject";
import { subscription } from "@/lib/subscriptions/subject";
import { transaction } from "@/lib/transactions/subject";
import { unmatched } from "@/lib/unmatched/subject";
import type { WebhookEvent } from "@/lib/webhooks/schema";
import { withdrawal } from "@/lib/withdrawals/subject";

/** Every noun that events are about. Its row, in its own folder, defines the receivers and bodies of its events. */
const subjects = { dispute, refund, subscription, transaction, unmatched, withdrawal };

export type SubjectName = keyof typeof subjects;

/** The stored name of every event. */
export type EventType = (typeof subjects)[SubjectName]["names"][number];

/** The events of a subject by the names under which they are stored. */
export type Kinds = { subject: SubjectName; types: readonly string[] };

/** The kinds of events that a registration may get, or any receiver at all. What only histories keep is none of them. */
export const kindsFor = (registration?: WebhookEvent): Kinds[] =>
  Object.entries(subjects)
    .map(([subject, { sentTo }]) => ({ subject: subject as SubjectName, types: sentTo(registration) }))
    .filter(({ types }) => types.length > 0);

/** An event with its receivers and bodies. Throws when no row describes it, as for an event of a later version. */
export function openEvent(event: KeptEvent): OpenEvent {
  if (Object.hasOwn(subjects, event.subject)) return subjects[event.subject as SubjectName].open(event);
  throw new Error(`No row describes the subject ${event.subject}`);
}

/** What a person recognises an event's record by; null for an event of a later version, which no row describes. */
export function aboutOf(event: KeptEvent): About | null {
  const { subject, type } = event;
  const names: readonly string[] = Object.hasOwn(subjects, subject) ? subjects[subject as SubjectName].names : [];
  return names.includes(type) ? openEvent(event).about : null;
}
