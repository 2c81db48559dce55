import { currentActor, noteRecorded } from "@/lib/actor";
import type { Tx } from "@/lib/db";
import { wakeOnCommit } from "@/lib/due/wake";
import type { EventType, SubjectName } from "@/lib/events/subjects";

type NewEvent = {
  accountId: string;
  type: EventType;
  /** The record that it happened to: its row in `lib/events/subjects.ts`, and its id. */
  subject: SubjectName;
  subjectId: string;
  /** The fields that changed: {status, previous_status, …}. */
  data: object;
  /** The subject's row right after the change. */
  record: object;
  requestId?: string | undefined;
  occurredAt: Date;
};

/**
 * SQL: two CTEs that write events, and to the outbox that `lib/events/consume.ts` has to take them. `relation` names a CTE with the columns account_id, type,
 * subject, subject_id, data, record, request_id, actor and occurred_at. The database makes the ids, so that those of one
 * subject are in the order in which they happened, whichever process wrote them.
 */
export const emitFrom = (relation: string) => `happened as (
    insert into events (account_id, id, type, subject, subject_id, data, record, request_id, actor, occurred_at)
    select account_id, new_id(), type, subject, subject_id, data, record, request_id, actor, occurred_at from ${relation}
    returning account_id, id
  ), enqueued as (
    insert into outbox (account_id, event_id) select account_id, id from happened
  )`;

const EMIT = `with given as materialized (
    select * from json_to_recordset($1::json) as g(account_id uuid, type text, subject text, subject_id uuid, data jsonb,
      record jsonb, request_id uuid, actor jsonb, occurred_at timestamptz)
  ), ${emitFrom("given")}
  select id from happened`;

/** Writes events, in the transaction of the change itself. Returns their ids. */
export async function emit(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
  const rows = events.map((event) => ({
    account_id: event.accountId,
    type: event.type,
    subject: event.subject,
    subject_id: event.subjectId,
    data: event.data,
    record: event.record,
    request_id: event.requestId,
    actor: currentActor(),
    occurred_at: event.occurredAt,
  }));
  const written = await tx.$queryRawUnsafe<{ id: string }[]>(EMIT, JSON.stringify(rows));
  noteRecorded();
  wakeOnCommit(tx, "events");
  return written.map(({ id }) => id);
}
