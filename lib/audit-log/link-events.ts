import type { Query } from "@/lib/db";
import type { Happened, Leave } from "@/lib/events/consume";

/**
 * A consumer of events: it appends each to the chain of its account (`audit_links`), so that no event can be changed,
 * deleted, inserted or moved without a trace. Events are linked in the order in which they are found committed; those of one
 * account that are found together by their ids. One that commits late is linked after those that were linked before it.
 *
 * The database's function `audit_link` reads the events and makes the hashes, all SHA-256 (FIPS 180-4):
 * - `digest`, of what may have to be given up one day (LGPD): the link's random salt (16 bytes), then the texts of `data`,
 *   `record` and `actor` as PostgreSQL 14 to 18 print jsonb, separated by line feeds, which no such text contains. An erasure
 *   replaces the three and clears the salt: the digest stays in the chain, and nobody can find out what was there by trying.
 *   An event of the erasure (`customer_data.redacted`) in the same chain has the digest of what was left, without a salt.
 * - `hash`, of the hash before it (nothing before the first), and of what stays verifiable for ever: account_id, id,
 *   subject_id (16 bytes each), occurred_at (8 bytes, microseconds since 2000 as PostgreSQL sends them), the digest, then
 *   type, subject, request_id and the actor's kind and id as text, separated by zero bytes, empty where there is none.
 *
 * Neither depends on a later version of PostgreSQL: the binary forms are those of its protocol, and `lib/audit-log/verify.ts`
 * prints jsonb itself where a version should print it otherwise.
 */
export async function linkEvents(query: Query, events: readonly Happened[], leave: Leave): Promise<undefined> {
  const keys = [events.map(({ accountId }) => accountId), events.map(({ id }) => id)];
  const busy = new Set((await query<{ id: string }>("audit_link", LINK, keys)).map(({ id }) => id));
  if (busy.size > 0) leave(events.filter(({ id }) => busy.has(id)));
}

/** SQL: links these events. Returns those whose account another transaction links at the moment. */
export const LINK = "select busy_event_id as id from audit_link($1::uuid[], $2::uuid[])";

/** SQL: what an event's digest is of; `e` is its row and `l` its link. */
export const CONTENT = `coalesce(uuid_send(l.salt), '') || convert_to(
  e.data::text || E'\\n' || e.record::text || E'\\n' || coalesce(e.actor::text, ''), 'UTF8')`;

/**
 * SQL: the digest that an event's content must have, as hexadecimal text: its link's, and without a salt the one that the
 * linked event has by which it was redacted. Null where no event says that it was.
 */
export const DIGEST = `case when l.salt is not null then encode(l.digest, 'hex') else (
    select r.record ->> e.id::text from events r join audit_links of_r on of_r.account_id = r.account_id and of_r.event_id = r.id
    where r.account_id = e.account_id and r.id = e.redacted_by and r.type = 'customer_data.redacted'
  ) end`;

/** SQL: what a link's hash is of, after the hash before it. */
export const WRITTEN = `uuid_send(e.account_id) || uuid_send(e.id) || uuid_send(e.subject_id)
  || timestamptz_send(e.occurred_at) || l.digest || ${[
    "e.type",
    "e.subject",
    "e.request_id::text",
    "e.actor ->> 'kind'",
    "e.actor ->> 'id'",
  ]
    .map((text) => `coalesce(convert_to(${text}, 'UTF8'), '')`)
    .join(" || '\\x00' || ")}`;
