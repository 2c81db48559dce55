import type { OwnKind } from "@/lib/ledger/chart";
import { daysOf, partOf } from "@/lib/ledger/days";
import { boundsOf, isOfDays } from "@/lib/lists/period";
import type { Ask } from "@/lib/statement/ask";
import { parted, postingsOf } from "@/lib/statement/lines";
import type { StatementFilter } from "@/lib/statement/schema";
import { endOfDay, localTime, startOfDay } from "@/lib/time/calendar";
import { iso } from "@/lib/time/clock";

/**
 * The entries of one day, or of a part of it: those of ids and instants between these, the last instant not included. No
 * index has entries by instant; the key has them by id, and the days know their ids.
 */
export type Span = { day: string; first: number; last: number; since: Date; until: Date; entries: number };

/** The day of an instant, YYYY-MM-DD. */
export const dayOf = (at: Date) => localTime(at).slice(0, 10);

/** The days that have entries under the filters, the last one first. */
export async function readSpans(ask: Ask, accountId: string, filter: StatementFilter): Promise<Span[]> {
  const { since, until } = boundsOf(filter);
  const { balance, types, parts } = filtersOf(filter);
  const [from, to] = [since ? dayOf(since) : null, until ? dayOf(new Date(until.getTime() - 1)) : null];
  const days = await ask<Day>(DAYS, [accountId, from, to, balance, types, parts]);
  const spans = days.map(({ day, entries, first, last }): Span => {
    const [start, end] = [startOfDay(day), endOfDay(day)];
    const clipped = { since: since && since > start ? since : start, until: until && until < end ? until : end };
    return { day, first, last, entries, ...clipped };
  });
  return isOfDays(filter) ? spans : countEnds(ask, accountId, spans, filter);
}

type Day = { day: string; entries: number; first: number; last: number };

const DAYS = `select day, sum(entries)::int as entries, min(first_id) as first, max(last_id) as last
  from (${daysOf("$1::uuid")}) days
  where ($2::date is null or day >= $2::date) and ($3::date is null or day <= $3::date) and ($4::text is null or kind = $4::text)
    and ($5::text[] is null or (type, part) in (select * from unnest($5::text[], $6::int[])))
  group by day order by day desc`;

/** A day of which only some hours are asked for is counted entry by entry. */
async function countEnds(
  ask: Ask,
  accountId: string,
  spans: readonly Span[],
  filter: StatementFilter,
): Promise<Span[]> {
  const counted = [];
  for (const span of spans) {
    const isWhole = span.since <= startOfDay(span.day) && span.until >= endOfDay(span.day);
    if (isWhole) {
      counted.push(span);
      continue;
    }
    const text = `select count(*)::int as entries from (${entriesOf()}) e`;
    const [row] = await ask<{ entries: number }>(text, valuesOf(accountId, [span], filter));
    if (row && row.entries > 0) counted.push({ ...span, entries: row.entries });
  }
  return counted;
}

/**
 * SQL: the entries of spans under the filters, each with its part and its span's place; `last` is what limits and orders
 * those of each span.
 */
export const entriesOf = (last = "") => `
  select s.place, e.* from unnest($2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
    with ordinality as s(first, last, since, until, place)
  cross join lateral (
    select id, type, kind, amount, source_id, created_at, case when type = any($9::text[]) then ${partOf("e")} else 1 end as part
    from ledger_entries e
    where account_id = $1::uuid and id between s.first and s.last and created_at >= s.since and created_at < s.until
      and ($6::text is null or kind = $6::text)
      and ($7::text[] is null or type = any($7::text[])
        and (type, case when type = any($9::text[]) then ${partOf("e")} else 1 end) in (select * from unnest($7::text[], $8::int[])))
    ${last}
  ) e`;

/** The values of `entriesOf`. */
export function valuesOf(accountId: string, spans: readonly Span[], filter: StatementFilter): unknown[] {
  const { balance, types, parts } = filtersOf(filter);
  const ends = [spans.map(({ first }) => first), spans.map(({ last }) => last)];
  const instants = [spans.map(({ since }) => iso(since)), spans.map(({ until }) => iso(until))];
  return [accountId, ...ends, ...instants, balance, types, parts, [...parted]];
}

function filtersOf({ balance, about }: StatementFilter) {
  const { types, parts } = about ? postingsOf(about) : { types: null, parts: null };
  return { balance: (balance ?? null) as OwnKind | null, types, parts };
}
