import { z } from "zod";
import { invalid } from "@/lib/errors";
import { MAX_COUNTED } from "@/lib/limits";

const whole = (byDefault: number, limit: number) => z.coerce.number().int().min(1).max(limit).default(byDefault);

/** `page` from 1 and `per_page` from 1 to 100, as every list accepts them. */
export const PageQuery = z.object({ page: whole(1, 1_000_000), per_page: whole(15, 100) });
export type PageQuery = z.output<typeof PageQuery>;

export const Meta = z.object({
  total: z.int(),
  current_page: z.int(),
  per_page: z.int(),
  last_page: z.int(),
});

/** `{data: [item], meta}`: the shape of every list. */
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), meta: Meta });

/** How many records of a list are counted one by one, and how far from the start a page may be. */
export const COUNTED = MAX_COUNTED;

const TOO_FAR = "Esta página fica a mais de 10.000 registros do início. Use cursor, com o último id que você já leu.";

/** How many records come before a page. Throws 422 for a page that is too far from the start, as `cursor` never is. */
export function skipOf({ page, per_page }: PageQuery): number {
  const skip = (page - 1) * per_page;
  if (skip > COUNTED) throw invalid({ page: [TOO_FAR] });
  return skip;
}

/** The meta of a list of `total` records. */
export const metaOf = (total: number, { page, per_page }: PageQuery) => ({
  total,
  current_page: page,
  per_page,
  last_page: Math.max(1, Math.ceil(total / per_page)),
});

/** A list that grows without end: continued by cursor, and counted only so far. */
export const CursorQuery = PageQuery.extend({ cursor: z.uuid().optional() });
export type CursorQuery = z.output<typeof CursorQuery>;

export const CursorMeta = Meta.extend({
  total_is_exact: z.boolean().meta({
    description: "False where there are more than `total` says: no more than 10,000 are counted one by one",
  }),
  /** Continues this list after its last record; null at its end. */
  next_cursor: z.uuid().nullable(),
});

/** What a query of one page reads: one record more than the page has, which shows whether there are more. */
export const pageAfter = (query: CursorQuery) => ({
  orderBy: { id: "desc" } as const,
  skip: query.cursor ? 0 : skipOf(query),
  take: query.per_page + 1,
});

type Total = { total: number; isExact: boolean };

/** The total of a list of which one record more than `COUNTED` was counted where there are more than that. */
export const upTo = (found: number): Total => ({ total: Math.min(found, COUNTED), isExact: found <= COUNTED });

/** The numbers of a list's tabs, none above `COUNTED`. */
export const countedUpTo = <C extends Record<string, number | undefined>>(counts: C): C =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Math.min(count ?? 0, COUNTED)])) as C;

/** The records of a page, of those that `pageAfter` read, and the list's meta. */
export function pageOfRead<T extends { id: string }>(
  rows: readonly T[],
  { total, isExact }: Total,
  query: CursorQuery,
) {
  const shown = rows.slice(0, query.per_page);
  const next_cursor = rows.length > query.per_page ? (shown.at(-1)?.id ?? null) : null;
  return { shown, meta: { ...metaOf(total, query), total_is_exact: isExact, next_cursor } };
}
