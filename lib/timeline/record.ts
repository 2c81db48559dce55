import type { Actor } from "@/lib/actor";
import type { Tx } from "@/lib/db";
import { realTime } from "@/lib/ids";
import { decimal } from "@/lib/money";
import { attemptsOf } from "@/lib/timeline/attempts";
import { type Entry, onlyReal, plain } from "@/lib/timeline/entry";

type Key = { accountId: string; id: string };

type Options = {
  /** What the ledger lines are of, where that is not the records alone. */
  sources?: readonly string[];
  /** What is said beside an event, of the record that it keeps. */
  detailOf?: (record: unknown) => string | null;
  /** Why somebody did it, of the record that it keeps. */
  reasonOf?: (record: unknown) => string | null;
};

/**
 * What happened around a record of a noun that events are about: the requests that led to its events, its events,
 * deliveries, and the ledger lines of its facts, whose `sources` are the record itself unless others are given.
 */
export const entriesOfRecord = (tx: Tx, { accountId, id }: Key, sources?: readonly string[]): Promise<Entry[]> =>
  entriesOfRecords(tx, accountId, [id], sources && { sources });

/** The same of several records of an account together. */
export async function entriesOfRecords(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  { sources = ids, detailOf = () => null, reasonOf = () => null }: Options = {},
): Promise<Entry[]> {
  const events = await tx.event.findMany({
    where: { accountId, subjectId: { in: [...ids] } },
    orderBy: { id: "asc" },
  });
  const requestIds = events.flatMap(({ requestId }) => requestId ?? []);
  const requests = await tx.requestLog.findMany({ where: { accountId, id: { in: requestIds } } });
  const happened = events.map(
    (event): Entry => ({
      ...{ ...plain, id: event.id, occurredAt: event.occurredAt, real: realOf(event) },
      ...{ kind: "event", title: event.type, status: (event.data as { status: string }).status },
      ...{ detail: detailOf(event.record), reason: reasonOf(event.record) },
      actor: event.actor as Actor | null,
    }),
  );
  return [
    ...requests.map(
      (request): Entry => ({
        ...{ ...plain, ...onlyReal(request.createdAt), id: request.id, kind: "request" },
        title: `${request.method} ${request.path}`,
        status: String(request.status),
        detail: `${request.durationMs} ms`,
      }),
    ),
    ...happened,
    ...(await attemptsOf(tx, accountId, happened)),
    ...(await ledgerLines(tx, accountId, sources)),
  ];
}

/** An event's id has its real time to the millisecond; where the account's clock is the real one, that is more exact. */
function realOf({ id, occurredAt }: { id: string; occurredAt: Date }): Date {
  const real = realTime(id);
  return Math.abs(real.getTime() - occurredAt.getTime()) < SAME_CLOCK_MS ? occurredAt : real;
}

/** How far apart the times of one event on two equal clocks may be. */
const SAME_CLOCK_MS = 60_000;

type Line = { id: bigint; type: string; kind: string; amount: bigint; created_at: Date };

async function ledgerLines(tx: Tx, accountId: string, sources: readonly string[]): Promise<Entry[]> {
  const rows = await tx.$queryRaw<Line[]>`
    select e.id, p.type, e.kind, e.amount, e.created_at
    from ledger_postings p join ledger_entries e on e.posting_id = p.id and e.account_id = ${accountId}::uuid
    where p.account_id = ${accountId}::uuid and p.source_id = any(${sources}::uuid[]) order by e.id`;
  return rows.map((line) => ({
    ...{ ...plain, ...onlyReal(line.created_at), id: String(line.id) },
    kind: "ledger",
    title: line.type,
    status: line.kind,
    detail: decimal(line.amount),
  }));
}
