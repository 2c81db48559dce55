import type { AccountContext } from "@/lib/accounts/context";
import { requireContext } from "@/lib/accounts/read";
import type { Actor } from "@/lib/actor";
import { CONTENT, DIGEST, WRITTEN } from "@/lib/audit-log/link-events";
import type { AuditEntry, AuditFilter, AuditPage, AuditQuery } from "@/lib/audit-log/schema";
import { queryOf, readFor, readForStaff, type Tx } from "@/lib/db";
import { aboutOf } from "@/lib/events/subjects";
import { firstIdAt, realTime } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import type { CsvRecord } from "@/lib/lists/csv";
import { COUNTED, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { boundsOf, FIRST_ID, LAST_ID } from "@/lib/lists/period";
import { localTime } from "@/lib/time/calendar";
import { iso } from "@/lib/time/clock";
import { namesIn, presentActor } from "@/lib/timeline/names";
import type { Event, Prisma } from "@/prisma/client/client";

/** Whose events are read, and who reads them: only the staff reads the names of the staff, and where they asked from. */
type Whose = { accountId: string; isForStaff: boolean };

/** What happened in an account, newest first: who did what to which record, from where, what changed, and whether it still is as it was linked. */
export const listAudit = ({ id, name, mode }: AccountContext, query: AuditQuery): Promise<AuditPage> =>
  readFor(id, (tx) => readPage(tx, { accountId: id, isForStaff: false }, query, { id, name, mode }));

/** The same for the operator's staff: of an account, or null for what the staff did as such. Throws `account_not_found`. */
export async function listAuditForStaff(accountId: string | null, query: AuditQuery): Promise<AuditPage> {
  const account = accountId === null ? null : await requireContext(accountId);
  const whose = { accountId: account?.id ?? PLATFORM, isForStaff: true };
  const named = account && { id: account.id, name: account.name, mode: account.mode };
  return readForStaff((tx) => readPage(tx, whose, query, named));
}

async function readPage(
  tx: Tx,
  whose: Whose,
  query: AuditQuery,
  account: AuditPage["meta"]["account"],
): Promise<AuditPage> {
  const filter = await filterOf(tx, whose, query);
  const { rows, end } = await readRows(tx, filter, { cursor: query.cursor, ...pageAfter(query) });
  const { shown, meta } = pageOfRead(rows, await countOf(tx, filter), query);
  const people = await namesIn(tx, whose.accountId);
  return {
    data: await present(tx, whose, shown),
    meta: {
      ...{ ...meta, next_cursor: meta.next_cursor ?? end },
      ...{ account, verified: await verifiedOf(tx, whose.accountId) },
      people: [...people].map(([id, name]) => ({ id, name })),
    },
  };
}

const CHUNK = 1_000;

/** The same, all of them, in batches. */
export const exportAudit = ({ id }: AccountContext, filter: AuditFilter) =>
  allOf({ accountId: id, isForStaff: false }, filter);

/** The same for the operator's staff. Throws `account_not_found`. */
export async function exportAuditForStaff(accountId: string | null, filter: AuditFilter) {
  const account = accountId === null ? null : await requireContext(accountId);
  return allOf({ accountId: account?.id ?? PLATFORM, isForStaff: true }, filter);
}

async function* allOf(whose: Whose, asked: AuditFilter): AsyncIterable<AuditEntry[]> {
  let cursor: string | undefined;
  const readChunk = async (tx: Tx) => {
    const { rows, end } = await readRows(tx, await filterOf(tx, whose, asked), { cursor, skip: 0, take: CHUNK });
    cursor = (rows.length === CHUNK ? rows.at(-1)?.id : end) ?? undefined;
    return present(tx, whose, rows);
  };
  do {
    yield await (whose.isForStaff ? readForStaff(readChunk) : readFor(whose.accountId, readChunk));
  } while (cursor);
}

/** The cells of an event in a CSV file; times are those of Brasília. */
export function auditCells(entry: AuditEntry): CsvRecord {
  const { number, at, type, record, name, actor, ip, request_id, reason, changes, state } = entry;
  const changed = changes.map((one) => `${one.name}: ${one.before ?? ""} → ${one.after ?? ""}`).join("\n");
  return [
    ...[number === null ? null : String(number), localTime(new Date(at)), type],
    ...[record?.subject ?? entry.subject, record?.id ?? null, name, actor?.kind ?? null, actor?.name ?? null],
    ...[ip, request_id, reason, changed || null, state],
  ];
}

/** SQL: the events `e` of a list are those of `scan`, which an index has in the order of their ids, that pass `rest`. */
type Filter = { scan: string; rest: string; bounds: Bounds; persons: string[] };
/** The parameters of `scan`: the account, the first id and the one after the last. Those of `rest` follow them. */
type Bounds = readonly [accountId: string, since: string, until: string];

/**
 * Which events are meant. Kinds and subjects are written out, because the indexes of them are partial; a person's own are
 * looked for among those of all people, and a credential's among all events.
 */
async function filterOf(tx: Tx, { accountId }: Whose, { by, person, subject, from, to }: AuditFilter): Promise<Filter> {
  const { since, until } = boundsOf({ from, to });
  const bounds: Bounds = [accountId, since ? firstIdAt(since) : FIRST_ID, until ? firstIdAt(until) : LAST_ID];
  const [scan, rest] = [["e.account_id = $1::uuid and e.id >= $2::uuid and e.id < $3::uuid"], ["true"]];
  const isPerson = person !== undefined && (await tx.user.count({ where: { id: person } })) > 0;
  const isIndexed = subject !== undefined && subject !== "transaction";
  if (subject) (isIndexed ? scan : rest).push(`e.subject = '${subject}'`);
  if (!isIndexed && (isPerson || by === "person" || by === "staff"))
    scan.push("e.actor ->> 'kind' in ('person', 'staff')");
  if (by) rest.push(`e.actor ->> 'kind' = '${by}'`);
  if (person) rest.push(`e.actor ->> 'kind' ${isPerson ? "in ('person', 'staff')" : "= 'credential'"}`);
  if (person) rest.push("e.actor ->> 'id' = $4");
  return { scan: scan.join(" and "), rest: rest.join(" and "), bounds, persons: person ? [person.toLowerCase()] : [] };
}

/** How many events a list has, of the newest that are counted one by one. */
async function countOf(tx: Tx, { scan, rest, bounds, persons }: Filter) {
  const text = `select count(*)::int as scanned, count(*) filter (where ${rest})::int as found
    from (select e.actor, e.subject from events e where ${scan} order by e.id desc limit ${COUNTED + 1}) e`;
  const [count] = await queryOf(tx)<{ scanned: number; found: number }>("", text, [...bounds, ...persons]);
  return { ...upTo(count?.found ?? 0), isExact: (count?.scanned ?? 0) <= COUNTED };
}

type Place = { cursor: string | undefined; skip: number; take: number };
type Row = Pick<
  Event,
  "id" | "type" | "subject" | "subjectId" | "data" | "record" | "requestId" | "actor" | "occurredAt"
> & {
  number: number | null;
  isRedacted: boolean;
  isIntact: boolean | null;
};

/**
 * Each event with its link, and whether the link follows from the one before it. Where few events pass the filter a page ends
 * after so many that were looked through, and `end` is the one after which the list goes on.
 */
async function readRows(tx: Tx, { scan, rest, bounds, persons }: Filter, { cursor = LAST_ID, skip, take }: Place) {
  const [accountId, since, until] = bounds;
  const after: Bounds = [accountId, since, cursor.toLowerCase() < until ? cursor : until];
  const looked = skip + take + COUNTED;
  const rows = await queryOf(tx)<Row>(
    "",
    `select e.id, e.type, e.subject, e.subject_id as "subjectId", e.data, e.record, e.request_id as "requestId", e.actor,
       e.occurred_at as "occurredAt", l.sequence::float8 as number, l.hash is not null and l.salt is null as "isRedacted",
       sha256(coalesce(before.hash, '') || ${WRITTEN}) = l.hash and encode(sha256(${CONTENT}), 'hex') = ${DIGEST} as "isIntact"
     from (
       select e.* from (select e.* from events e where ${scan} order by e.id desc limit ${looked}) e
       where ${rest} order by e.id desc offset ${skip} limit ${take}
     ) e
     left join lateral (
       select * from audit_links where account_id = e.account_id and event_id = e.id offset 0
     ) l on true
     left join lateral (
       select hash from audit_links where account_id = e.account_id and sequence = l.sequence - 1 offset 0
     ) before on true
     order by e.id desc`,
    [...after, ...persons],
  );
  if (rows.length === take) return { rows, end: null };
  const last = `select e.id from events e where ${scan} order by e.id desc offset ${looked - 1} limit 1`;
  const [end] = await queryOf(tx)<{ id: string }>("", last, [...after]);
  return { rows, end: end?.id ?? null };
}

async function present(tx: Tx, whose: Whose, rows: readonly Row[]): Promise<AuditEntry[]> {
  const names = await namesOf(tx, whose, rows);
  return rows.map((row) => {
    const { id, type, subject, data, record, number, isRedacted, isIntact } = row;
    const actor = row.actor as Actor | null;
    const about = aboutIn(row);
    const { name, title, amount, email, kind, ...why } = (record ?? {}) as Partial<Record<string, unknown>>;
    const isHidden = actor?.kind === "staff" && !whose.isForStaff;
    return {
      ...{ id, at: iso(realTime(id)), type, subject, number, changes: changesIn(data), request_id: row.requestId },
      name: about ? about.name : textOf([name, title, amount, email, kind].find((one) => textOf(one) !== null)),
      record: about?.records.find((one) => one.subject === subject) ?? about?.records[0] ?? { subject, id: keyOf(row) },
      status: textOf((data as { status?: unknown } | null)?.status),
      actor: presentActor(actor, names),
      ip: isHidden ? null : (actor?.ip ?? null),
      reason: textOf(why.reason_details ?? (CHOSEN_REASON.has(subject) ? null : why.reason)),
      state: number === null ? "waiting" : isIntact ? (isRedacted ? "redacted" : "intact") : "altered",
    };
  });
}

/** The subjects whose `reason` is one of a table's; what was written beside it is in `reason_details`. */
const CHOSEN_REASON: ReadonlySet<string> = new Set(["refund", "approval", "unmatched"]);

/** What the record of an event is called. One that was altered or given up may be of no shape. */
function aboutIn(row: Row) {
  try {
    return aboutOf(row);
  } catch {
    return null;
  }
}

/** A webhook is named by its number, which its event's UUID ends in. */
const keyOf = ({ subject, subjectId }: Row) =>
  subject === "webhook" ? String(Number.parseInt(subjectId.slice(-12), 16)) : subjectId;

const textOf = (value: unknown) => (typeof value === "string" ? value : null);

/** The names of those who did it: of people also where they are of the account no longer, of the staff only for the staff. */
async function namesOf(tx: Tx, { accountId, isForStaff }: Whose, rows: readonly Row[]): Promise<Map<string, string>> {
  const actors = rows.flatMap(({ actor }) => (actor as Actor | null) ?? []);
  const ids = (kinds: Actor["kind"][]) => actors.flatMap(({ kind, id }) => (kinds.includes(kind) && id ? [id] : []));
  const people = ids(isForStaff ? ["person", "staff"] : ["person"]);
  const names = await queryOf(tx)<{ id: string; name: string }>("", NAMES, [people, ids(["credential"]), accountId]);
  return new Map(names.map(({ id, name }) => [id, name]));
}

const NAMES = `select id, name from users where id = any($1::uuid[])
  union all select client_id, name from credentials where account_id = $3::uuid and client_id = any($2::uuid[])`;

/** What changed: the members of a change by hand, or the status that a record moved from and to. */
function changesIn(data: Prisma.JsonValue): AuditEntry["changes"] {
  const members = Object.entries((data ?? {}) as Record<string, unknown>);
  const { previous_status: previous, status } = (data ?? {}) as Record<string, unknown>;
  if (typeof previous === "string") return [{ name: "status", before: previous, after: textOf(status) }];
  return members.flatMap(([name, change]) => {
    const isChange = isRecord(change) && "before" in change && "after" in change;
    return isChange && !DERIVED.has(name) ? leavesOf(name, change.before, change.after) : [];
  });
}

/** The members that follow from others. */
const DERIVED: ReadonlySet<string> = new Set(["allowed_statuses", "updated_at"]);

/** What differs of a member; of one with members of its own each that differs, as `terms.refund_fee`. */
function leavesOf(name: string, before: unknown, after: unknown): AuditEntry["changes"] {
  if (!isRecord(before) && !isRecord(after)) return [{ name, before: shown(before), after: shown(after) }];
  const [old, now] = [before, after].map((value) => (isRecord(value) ? value : {})) as [Json, Json];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
    .flatMap((key) => leavesOf(`${name}.${key}`, old[key], now[key]));
}

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function shown(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

async function verifiedOf(tx: Tx, accountId: string): Promise<AuditPage["meta"]["verified"]> {
  const [mark] = await queryOf(tx)<{ number: number; eventId: string; publishedAt: Date }>("", VERIFIED, [accountId]);
  return mark ? { number: mark.number, at: iso(realTime(mark.eventId)), published_at: iso(mark.publishedAt) } : null;
}

/** SQL: the latest mark of an account, where its chain still has it. */
const VERIFIED = `select m.sequence::float8 as number, l.event_id as "eventId", p.published_at as "publishedAt"
  from (select * from audit_marks where account_id = $1::uuid order by sequence desc limit 1) m
  join audit_links l on l.account_id = $1::uuid and l.sequence = m.sequence and l.hash = m.hash
  join audit_publications p on p.id = m.publication_id`;
