import type { AccountContext } from "@/lib/accounts/context";
import { requireContext } from "@/lib/accounts/read";
import type { Actor } from "@/lib/actor";
import { CONTENT, WRITTEN } from "@/lib/audit-log/link-events";
import type { AuditEntry, AuditFilter, AuditPage, AuditQuery } from "@/lib/audit-log/schema";
import { queryOf, readFor, readForStaff, type Tx } from "@/lib/db";
import { aboutOf } from "@/lib/events/subjects";
import { firstIdAt } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { COUNTED, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { boundsOf, FIRST_ID, LAST_ID } from "@/lib/lists/period";
import { localTime } from "@/lib/time/calendar";
import { iso } from "@/lib/time/clock";
import { realTime } from "@/lib/timeline/clocks";
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
  const { cursor } = query;
  const filter = await filterOf(tx, whose, query);
  const counted = `select count(*)::int as found from (select from events e where ${filter.where} limit ${COUNTED + 1}) c`;
  const [count] = await queryOf(tx)<{ found: number }>("", counted, filter.values);
  const rows = await readRows(tx, filter, { cursor, ...pageAfter(query) });
  const { shown, meta } = pageOfRead(rows, upTo(count?.found ?? 0), query);
  const people = await namesIn(tx, whose.accountId);
  return {
    data: await present(tx, whose, shown),
    meta: {
      ...{ ...meta, account, verified: await verifiedOf(tx, whose.accountId) },
      people: [...people].map(([id, name]) => ({ id, name })),
    },
  };
}

const CHUNK = 1_000;

/** The same, all of them, in batches of records of a CSV file; times are those of Brasília. */
export const exportAudit = ({ id }: AccountContext, filter: AuditFilter) =>
  exported({ accountId: id, isForStaff: false }, filter);

/** The same for the operator's staff. Throws `account_not_found`. */
export async function exportAuditForStaff(accountId: string | null, filter: AuditFilter) {
  const account = accountId === null ? null : await requireContext(accountId);
  return exported({ accountId: account?.id ?? PLATFORM, isForStaff: true }, filter);
}

async function* exported(whose: Whose, asked: AuditFilter) {
  let cursor: string | undefined;
  do {
    const chunk = await (whose.isForStaff
      ? readForStaff
      : <T>(run: (tx: Tx) => Promise<T>) => readFor(whose.accountId, run))(async (tx) =>
      present(tx, whose, await readRows(tx, await filterOf(tx, whose, asked), { cursor, skip: 0, take: CHUNK })),
    );
    yield chunk.map((entry) => {
      const { number, at, type, record, name, actor, ip, request_id, reason, changes, state } = entry;
      const changed = changes.map((one) => `${one.name}: ${one.before ?? ""} → ${one.after ?? ""}`).join("\n");
      return [
        ...[number === null ? null : String(number), localTime(new Date(at)), type],
        ...[record?.subject ?? entry.subject, record?.id ?? null, name, actor?.kind ?? null, actor?.name ?? null],
        ...[ip, request_id, reason, changed || null, state],
      ];
    });
    cursor = chunk.length === CHUNK ? chunk.at(-1)?.id : undefined;
  } while (cursor);
}

type Filter = { where: string; values: unknown[] };

/**
 * SQL: which events are meant, `e`. Kinds of actors are written out, because the index of what people did is partial; a
 * person's or a credential's own are looked for among those of their kind.
 */
async function filterOf(tx: Tx, { accountId }: Whose, { by, person, subject, from, to }: AuditFilter): Promise<Filter> {
  const { since, until } = boundsOf({ from, to });
  const values: unknown[] = [accountId, since ? firstIdAt(since) : FIRST_ID, until ? firstIdAt(until) : LAST_ID];
  const parts = ["e.account_id = $1::uuid and e.id >= $2::uuid and e.id < $3::uuid"];
  const add = (part: (parameter: string) => string, value: unknown) => parts.push(part(`$${values.push(value)}`));
  const isPerson = person !== undefined && (await tx.user.count({ where: { id: person } })) > 0;
  if (by) parts.push(`e.actor ->> 'kind' = '${by}'`);
  if (person) parts.push(`e.actor ->> 'kind' ${isPerson ? "in ('person', 'staff')" : "= 'credential'"}`);
  if (person) add((parameter) => `e.actor ->> 'id' = ${parameter}`, person.toLowerCase());
  if (subject) add((parameter) => `e.subject = ${parameter}`, subject);
  return { where: parts.join(" and "), values };
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

/** Each event with its link, and whether the link follows from the one before it. */
const readRows = (tx: Tx, { where, values }: Filter, { cursor, skip, take }: Place): Promise<Row[]> =>
  queryOf(tx)<Row>(
    "",
    `select e.id, e.type, e.subject, e.subject_id as "subjectId", e.data, e.record, e.request_id as "requestId", e.actor,
       e.occurred_at as "occurredAt", l.sequence::float8 as number, l.hash is not null and l.salt is null as "isRedacted",
       sha256(coalesce(before.hash, '') || ${WRITTEN}) = l.hash and (l.salt is null or sha256(${CONTENT}) = l.digest) as "isIntact"
     from (
       select e.* from events e where ${where} and ($${values.length + 1}::uuid is null or e.id < $${values.length + 1}::uuid)
       order by e.id desc offset ${skip} limit ${take}
     ) e
     left join lateral (
       select * from audit_links where account_id = e.account_id and event_id = e.id offset 0
     ) l on true
     left join lateral (
       select hash from audit_links where account_id = e.account_id and sequence = l.sequence - 1 offset 0
     ) before on true
     order by e.id desc`,
    [...values, cursor ?? null],
  );

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
const CHOSEN_REASON: ReadonlySet<string> = new Set(["refund", "approval"]);

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
