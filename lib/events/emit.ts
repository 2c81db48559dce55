import type { Tx } from "@/lib/db";
import type { EventType, SubjectName } from "@/lib/events/subjects";

export type NewEvent = {
  accountId: string;
  type: EventType;
  /** What it happened to: a row of `lib/events/subjects.ts`, and the id there. */
  subject: SubjectName;
  subjectId: string;
  /** What changed: {status, previous_status, …}. */
  data: object;
  /** The subject as it was right after the change. */
  record: object;
  requestId?: string | undefined;
  occurredAt: Date;
};

/**
 * SQL: two CTEs that write events and promise their webhooks. `relation` names a CTE with the columns account_id, type,
 * subject, subject_id, data, record, request_id and occurred_at. The database makes the ids, so that those of one
 * subject are in the order in which they happened, whichever process wrote them.
 */
export const emitFrom = (relation: string) => `happened as (
    insert into events (account_id, id, type, subject, subject_id, data, record, request_id, occurred_at)
    select account_id, new_id(), type, subject, subject_id, data, record, request_id, occurred_at from ${relation}
    returning account_id, id
  ), promised as (
    insert into outbox (name, payload)
    select 'webhooks.dispatch', jsonb_build_object('accountId', account_id, 'eventId', id) from happened
  )`;

const EMIT = `with given as materialized (
    select * from json_to_recordset($1::json) as g(account_id uuid, type text, subject text, subject_id uuid, data jsonb,
      record jsonb, request_id uuid, occurred_at timestamptz)
  ), ${emitFrom("given")}
  select id from happened`;

/** Writes what happened in the transaction that made it happen, and promises its webhooks. Returns the events' ids. */
export async function emit(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
  const rows = events.map((event) => ({
    account_id: event.accountId,
    type: event.type,
    subject: event.subject,
    subject_id: event.subjectId,
    data: event.data,
    record: event.record,
    request_id: event.requestId,
    occurred_at: event.occurredAt,
  }));
  const written = await tx.$queryRawUnsafe<{ id: string }[]>(EMIT, JSON.stringify(rows));
  return written.map(({ id }) => id);
}
