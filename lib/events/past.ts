import type { Query } from "@/lib/db";
import type { KeptEvent } from "@/lib/events/subject";
import type { Kinds } from "@/lib/events/subjects";
import type { Event } from "@/prisma/client/client";

/** An event as it is read again, long after it happened. */
export type PastEvent = KeptEvent & Pick<Event, "accountId" | "subjectId">;

/** Which events of an account are meant: of these kinds, with ids between these two. */
export type Past = { accountId: string; kinds: readonly Kinds[]; after: string; until: string };

/**
 * Looks at the next `limit` events, whatever their kind, in the order of their ids. Returns those that are meant, and the id
 * of the last that was looked at: null where there are no more.
 */
export async function nextEvents(query: Query, past: Past, limit: number) {
  const text = `select ${COLUMNS}, ${MEANT} as "isMeant" from events e where ${scanOf(past)} order by e.id limit ${limit}`;
  const rows = await query<PastEvent & { isMeant: boolean }>("", text, valuesOf(past));
  return {
    events: rows.filter(({ isMeant }) => isMeant),
    last: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  };
}

/** Where a page begins and how many events it has; `looked` are looked at beside them, whatever their kind. */
type Place = { skip: number; take: number; looked: number };

/**
 * The events of a page, the last first. Where few of an account's events are meant it is shorter, and `end` is the id
 * after which the next one goes on.
 */
export async function lastEvents(query: Query, past: Past, { skip, take, looked }: Place) {
  const limit = skip + take + looked;
  const scan = `events e where ${scanOf(past)} order by e.id desc`;
  const text = `select ${COLUMNS} from (select e.* from ${scan} limit ${limit}) e
    where ${MEANT} order by e.id desc offset ${skip} limit ${take}`;
  const rows = await query<PastEvent>("", text, valuesOf(past));
  if (rows.length === take) return { rows, end: null };
  const ends = `select e.id from ${scan} offset ${limit - 1} limit 1`;
  const [end] = await query<{ id: string }>("", ends, valuesOf(past));
  return { rows, end: end?.id ?? null };
}

/** How many events are meant, of the last `limit` that are looked at, and whether those are all. */
export async function countPast(query: Query, past: Past, limit: number) {
  const text = `select count(*)::int as looked, count(*) filter (where ${MEANT})::int as found
    from (select e.type from events e where ${scanOf(past)} order by e.id desc limit ${limit}) e`;
  const [count] = await query<{ looked: number; found: number }>("", text, valuesOf(past));
  return { found: count?.found ?? 0, isAll: (count?.looked ?? 0) < limit };
}

const COLUMNS = `e.id, e.account_id as "accountId", e.type, e.subject, e.subject_id as "subjectId", e.data, e.record, e.actor,
  e.occurred_at as "occurredAt"`;

const MEANT = "e.type = any($4::text[])";

/** SQL: a range of an index. One has the events of each subject, but for the one that most events are about. */
function scanOf({ kinds }: Past): string {
  const [one, ...others] = kinds;
  const ofOne = one && others.length === 0 && one.subject !== "transaction" ? ` and e.subject = '${one.subject}'` : "";
  return `e.account_id = $1::uuid and e.id > $2::uuid and e.id < $3::uuid and $4::text[] is not null${ofOne}`;
}

const valuesOf = ({ accountId, kinds, after, until }: Past) => [
  accountId,
  after,
  until,
  kinds.flatMap(({ types }) => types),
];
