import type { AccountContext } from "@/lib/accounts/context";
import { readBalancesIn } from "@/lib/accounts/read";
import { readFor } from "@/lib/db";
import { metaOf, skipOf } from "@/lib/lists/pagination";
import { boundsOf, isOfDays } from "@/lib/lists/period";
import { type Ask, askIn } from "@/lib/statement/ask";
import { balancesAfter, balancesBefore, presentBalances } from "@/lib/statement/balances";
import { readCauses } from "@/lib/statement/causes";
import { presentLines, type Row } from "@/lib/statement/present";
import type { StatementFilter, StatementPage, StatementQuery } from "@/lib/statement/schema";
import { dayOf, entriesOf, readSpans, type Span, valuesOf } from "@/lib/statement/spans";

/**
 * A page of the account's statement: lines of its ledger, newest first, by the day on which they were made, and its balances at
 * the period's ends. Any page costs as much as the first. Throws 422 for a page by number that is too far from the start.
 */
export function readStatement({ id }: AccountContext, query: StatementQuery): Promise<StatementPage> {
  const { since, until } = boundsOf(query);
  return readFor(id, async (tx) => {
    const ask = askIn(tx);
    const spans = await readSpans(ask, id, query);
    const { rows, before, after } = await readPage(ask, id, spans, query);
    const [first, last] = [rows[0], rows.at(-1)];
    const balances = first && isWhole(query) ? await balancesAfter(ask, id, momentOf(first)) : null;
    const causeOf = await readCauses(ask, id, rows);
    const total = spans.reduce((sum, { entries }) => sum + entries, 0);
    return {
      data: presentLines(rows, balances, causeOf),
      meta: {
        ...metaOf(total, query),
        total_is_exact: true,
        next_cursor: after && last ? String(last.id) : null,
        previous_cursor: before && first ? String(first.id) : null,
        balance: presentBalances(until ? await balancesBefore(ask, id, until) : await readBalancesIn(tx, id)),
        opening: since ? presentBalances(await balancesBefore(ask, id, since)) : null,
      },
    };
  });
}

/** Whether every line of a balance is listed. Lines of a day are in the order of their numbers, which is not quite that of their instants. */
export const isWhole = (filter: StatementFilter) => !filter.about && isOfDays(filter);

type Line = { id: number; createdAt: Date };
export const momentOf = ({ id, created_at }: Row): Line => ({ id, createdAt: new Date(created_at) });

/** The rows of a page, and whether there are others before and after it. */
type Page = { rows: Row[]; before: boolean; after: boolean };

async function readPage(ask: Ask, accountId: string, spans: readonly Span[], query: StatementQuery): Promise<Page> {
  const { cursor, newer, per_page: take } = query;
  const isLast = newer === "0";
  const named = newer ?? cursor;
  const line = named === undefined || isLast ? undefined : await findLine(ask, accountId, named);
  if (named !== undefined && !isLast && !line) return { rows: [], before: false, after: false };
  const skip = named === undefined ? skipOf(query) : 0;
  if (newer !== undefined) {
    const from = line ? newerThan(spans, line) : spans;
    const rows = await readRows(ask, accountId, from.toReversed(), query, { order: "asc", skip, take: take + 1 });
    return { rows: rows.slice(0, take).reverse(), before: rows.length > take, after: !isLast };
  }
  const from = line ? olderThan(spans, line) : spans;
  const rows = await readRows(ask, accountId, from, query, { order: "desc", skip, take: take + 1 });
  return { rows: rows.slice(0, take), before: line !== undefined || skip > 0, after: rows.length > take };
}

/** The spans from after a line on, and of its own day those below its id. How many entries that part has is not counted. */
export function olderThan(spans: readonly Span[], { id, createdAt }: Line): Span[] {
  const day = dayOf(createdAt);
  return spans
    .filter((span) => span.day <= day)
    .map((span) => (span.day === day ? { ...span, last: id - 1, entries: 0 } : span));
}

function newerThan(spans: readonly Span[], { id, createdAt }: Line): Span[] {
  const day = dayOf(createdAt);
  return spans
    .filter((span) => span.day >= day)
    .map((span) => (span.day === day ? { ...span, first: id + 1, entries: 0 } : span));
}

/** The line that a cursor names; undefined where it is none of the account's. */
async function findLine(ask: Ask, accountId: string, id: string): Promise<Line | undefined> {
  const text = "select id, created_at from ledger_entries where account_id = $1::uuid and id = $2::bigint";
  const [row] = await ask<Row>(text, [accountId, id]);
  return row && momentOf(row);
}

type Place = { order: "asc" | "desc"; skip: number; take: number };

/** Reads only the spans that the page's rows are in. A span of which a cursor took a part counts none for certain. */
export async function readRows(
  ask: Ask,
  accountId: string,
  spans: readonly Span[],
  filter: StatementFilter,
  place: Place,
) {
  const { order, skip, take } = place;
  const needed = [];
  let [before, found] = [skip, 0];
  for (const span of spans) {
    if (found >= take) break;
    if (needed.length === 0 && before >= span.entries && span.entries > 0) before -= span.entries;
    else {
      needed.push(span);
      found += span.entries - (needed.length === 1 ? before : 0);
    }
  }
  if (needed.length === 0) return [];
  const last = `order by id ${order} limit $10::int`;
  const text = `select e.id, e.type, e.kind, e.amount, e.source_id, e.created_at, e.part from (${entriesOf(last)}) e
    order by e.place, e.id ${order} offset $11::int limit $12::int`;
  return ask<Row>(text, [...valuesOf(accountId, needed, filter), before + take, before, take]);
}
