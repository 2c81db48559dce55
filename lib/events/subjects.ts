import { difference } from "@/lib/differences/subject";
import { dispute } from "@/lib/disputes/subject";
import { type About, EXAMPLE_AT, exampleId, type KeptEvent, type OpenEvent, type Route } from "@/lib/events/subject";
import { refund } from "@/lib/refunds/subject";
import { subscription } from "@/lib/subscriptions/subject";
import { transaction } from "@/lib/transactions/subject";
import { unmatched } from "@/lib/unmatched/subject";
import type { WebhookEvent } from "@/lib/webhooks/schema";
import { withdrawal } from "@/lib/withdrawals/subject";
import type { Prisma } from "@/prisma/client/client";

/** Every noun that events are about. Its row, in its own folder, defines the receivers and bodies of its events. */
const subjects = { difference, dispute, refund, subscription, transaction, unmatched, withdrawal };

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

/** The routes by which a registration gets events, each with the stored name of its event. */
export const routesTo = (registration: WebhookEvent): (Route & { type: EventType })[] =>
  Object.values(subjects).flatMap((subject): (Route & { type: EventType })[] => subject.routesTo(registration));

/** An event with its receivers and bodies. Throws when no row describes it, as for an event of a later version. */
export function openEvent(event: KeptEvent): OpenEvent {
  if (Object.hasOwn(subjects, event.subject)) return subjects[event.subject as SubjectName].open(event);
  throw new Error(`No row describes the subject ${event.subject}`);
}

/** A made-up event that a registration gets under this name. Throws where none is made up for it. */
export function exampleOf(registration: WebhookEvent, name: string): KeptEvent {
  for (const [subject, { examples }] of Object.entries(subjects)) {
    for (const { type, data, record } of examples) {
      const kept = { type, subject, data: data as Prisma.JsonObject, record: record as Prisma.JsonObject };
      const event = { ...kept, id: exampleId(9), actor: null, occurredAt: new Date(EXAMPLE_AT) };
      const { subscriptions } = openEvent(event);
      if (subscriptions.some((route) => route.registration === registration && route.name === name)) return event;
    }
  }
  throw new Error(`No example of ${name} for ${registration}`);
}

/** What a person recognises an event's record by; null for an event of a later version, which no row describes. */
export function aboutOf(event: KeptEvent): About | null {
  const { subject, type } = event;
  const names: readonly string[] = Object.hasOwn(subjects, subject) ? subjects[subject as SubjectName].names : [];
  return names.includes(type) ? openEvent(event).about : null;
}
