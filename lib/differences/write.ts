import { type Query, transactionFor } from "@/lib/db";
import type { Span } from "@/lib/differences/compare-rail";
import { type Difference, keyOf } from "@/lib/differences/movement";
import { differenceNoun } from "@/lib/differences/noun";
import type { Figures } from "@/lib/differences/schema";
import type { DifferenceKind } from "@/lib/differences/states";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { move } from "@/lib/move";
import type { DifferenceStatus } from "@/prisma/client/enums";

/** What a comparison found of a span, and when it began to read. */
export type Result = {
  id: string;
  provider: string;
  span: Span;
  startedAt: Date;
  differences: readonly Difference[];
  /** What nobody can say yet, by its key, and the kinds of which all was read. */
  unjudged: readonly string[];
  judged: readonly DifferenceKind[];
  figures: Figures;
};

/**
 * Writes what a comparison found, all of it or nothing, and ends it: a difference that was found before is the same row, and one
 * that is not there any more is resolved. One that a person closed stays closed as long as it differs as it did then. Does
 * nothing where the comparison has ended, as where two workers made it.
 */
export const writeResult = ({ differences, figures, ...result }: Result): Promise<void> =>
  transactionFor(PLATFORM, async (query) => {
    const { id, provider, startedAt } = result;
    // One writer of a PSP at once.
    await query("differences_lock", "select 1 from pix_providers where name = $1 for update", [provider]);
    const values = [id, startedAt, JSON.stringify({ ...figures, found: differences.length })];
    const [ended] = await query("differences_end", END, values);
    if (!ended) return;
    const rows = differences.map((one) => rowOf(one, startedAt));
    const known = await query<Known>("differences_known", KNOWN, [PLATFORM, provider, JSON.stringify(rows)]);
    const byKey = new Map(known.map((one) => [keyOfRow(one), one]));
    const isNew = (row: Found) => !byKey.has(keyOfRow(row));
    await query("differences_insert", INSERT, [PLATFORM, provider, JSON.stringify(rows.filter(isNew))]);
    const again = rows.flatMap((row) => {
      const before = byKey.get(keyOfRow(row));
      return before && before.last_seen_at < startedAt ? [{ row, before, isAlike: isAlike(row, before) }] : [];
    });
    const given = (some: typeof again) =>
      some.map(({ row: { id: _, ...facts }, before }) => ({ accountId: PLATFORM, id: before.id, facts }));
    const reappeared = again.filter(
      ({ before, isAlike }) => before.status === "resolved" || (before.status === "closed" && !isAlike),
    );
    await move(query, differenceNoun, "reopen", given(reappeared));
    const changed = again.filter(({ before, isAlike }) => before.status === "open" && !isAlike);
    await move(query, differenceNoun, "change", given(changed));
    await query("differences_seen", SEEN, [PLATFORM, again.map(({ before }) => before.id), startedAt]);
    await resolveOthers(query, result);
  });

/** Resolves what was open of the span and is alike now. */
async function resolveOthers(
  query: Query,
  { provider, span, startedAt, unjudged, judged }: Omit<Result, "differences" | "figures">,
) {
  const values = [PLATFORM, provider, span.since, span.until, span.returnsSince, startedAt, judged, unjudged];
  const gone = await query<{ id: string }>("differences_gone", GONE, values);
  await move(
    query,
    differenceNoun,
    "resolve",
    gone.map(({ id }) => ({ accountId: PLATFORM, id })),
  );
}

const keyOfRow = ({ kind, record_id: id }: Pick<Found, "kind" | "record_id">) => keyOf({ kind, id });

type Found = ReturnType<typeof rowOf>;
type Known = Omit<Found, "seen_at" | "happened_at"> & { status: DifferenceStatus; last_seen_at: Date };

function rowOf({ fault, theirs, ours }: Difference, seen_at: Date) {
  const {
    kind,
    id: record_id,
    parentId: parent_id,
    happenedAt: happened_at,
  } = (theirs ?? ours) as NonNullable<typeof ours>;
  return {
    ...{ id: newId(), kind, record_id, parent_id, fault, happened_at, seen_at },
    ...{ their_amount: theirs?.amount ?? null, our_amount: ours?.amount ?? null },
    ...{ their_state: theirs?.state ?? null, our_state: ours?.state ?? null },
    of_account_id: ours?.accountId ?? null,
  };
}

const compared = ["fault", "their_amount", "our_amount", "their_state", "our_state"] as const;
const isAlike = (row: Found, before: Known) => compared.every((name) => row[name] === before[name]);

const ROW = `r(id uuid, kind text, record_id text, parent_id text, fault text, happened_at timestamptz, seen_at timestamptz,
    their_amount bigint, our_amount bigint, their_state text, our_state text, of_account_id uuid)`;

const END = `update rail_comparisons set ended_at = now(), started_at = $2, attempts = attempts + 1, figures = $3::jsonb,
    failure = null
  where id = $1::uuid and ended_at is null returning id`;

const KNOWN = `select d.* from (select kind, record_id from json_to_recordset($3::json) as ${ROW} offset 0) found
  cross join lateral (
    select id, kind, record_id, parent_id, status::text as status, fault, their_amount::float8 as their_amount,
      our_amount::float8 as our_amount, their_state, our_state, of_account_id, last_seen_at
    from reconcile_differences
    where account_id = $1::uuid and provider = $2 and kind = found.kind and record_id = found.record_id offset 0
  ) d`;

const INSERT = `insert into reconcile_differences (account_id, provider, id, kind, record_id, parent_id, fault, happened_at,
    first_seen_at, last_seen_at, their_amount, our_amount, their_state, our_state, of_account_id, updated_at)
  select $1::uuid, $2, id, kind, record_id, parent_id, fault, happened_at, seen_at, seen_at, their_amount, our_amount,
    their_state, our_state, of_account_id, date_trunc('milliseconds', now())
  from json_to_recordset($3::json) as ${ROW}`;

const SEEN = `update reconcile_differences set last_seen_at = $3
  where account_id = $1::uuid and id = any($2::uuid[])`;

const GONE = `select id from reconcile_differences
  where account_id = $1::uuid and status = 'open' and provider = $2 and last_seen_at < $6
    and kind = any($7::text[]) and not (kind || ' ' || record_id = any($8::text[]))
    and happened_at >= case kind when 'return' then $5::timestamptz else $3::timestamptz end and happened_at < $4`;
