import type { KeptEvent, OpenEvent } from "@/lib/events/subject";
import { transaction } from "@/lib/transactions/subject";

/** Every noun that events are about. Its row, in its own folder, says who gets its events and what they say. */
const subjects = { transaction };

export type SubjectName = keyof typeof subjects;

/** Every event, by the name that is kept with it. */
export type EventType = (typeof subjects)[SubjectName]["names"][number];

/** Reads what was kept with an event. Throws when no row describes it, as for an event of a later version. */
export function openEvent(event: KeptEvent): OpenEvent {
  if (Object.hasOwn(subjects, event.subject)) return subjects[event.subject as SubjectName].open(event);
  throw new Error(`No row describes the subject ${event.subject}`);
}
