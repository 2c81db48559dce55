import type { AccountContext } from "@/lib/accounts/context";
import type { Row } from "@/lib/database/json-rows";
import { readFor, type Tx } from "@/lib/db";
import { firstIdAt } from "@/lib/ids";
import { COUNTED, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { boundsOf, FIRST_ID, isOfDays, LAST_ID } from "@/lib/lists/period";
import { methodNames, methods } from "@/lib/methods/methods";
import { countByStatus } from "@/lib/rollups/read";
import { presentListItem } from "@/lib/transactions/present";
import { type Related, relatedTo } from "@/lib/transactions/related";
import { type Sale, saleOf } from "@/lib/transactions/sale";
import { type TrackedName, type TransactionPage, type TransactionQuery, trackedNames } from "@/lib/transactions/schema";
import { type Named, namedBy } from "@/lib/transactions/search";
import { statuses } from "@/lib/transactions/states";
import type { TransactionMethod, TransactionStatus } from "@/prisma/client/enums";

/**
 * Sales, newest first. `cursor` continues after a record and costs as much as the first page; `page` counts from the
 * start. `meta.counts` are the counts of the status tabs under the other filters. Under a search, or a period that is
 * not of whole days, no more than the newest `COUNTED` sales are counted, as of what sales belong to. Throws 422 for a page too far from the start.
 */
export function listTransactions(account: AccountContext, query: TransactionQuery): Promise<TransactionPage> {
  const { status, cursor } = query;
  const { skip, take } = pageAfter(query);
  return readFor(account.id, async (tx) => {
    const filters = { ...filtersOf(account, query), related: await relatedTo(tx, account.id, query) };
    const isKept = filters.days !== undefined && !filters.names && filters.related.length === 0;
    const { counts, isExact } = await (isKept ? countKept(tx, filters) : countFound(tx, filters));
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const total = status ? (counts[status] ?? 0) : all;
    const rows = await readRows(tx, { ...filters, status, cursor }, { skip, take });
    const { shown, meta } = pageOfRead(rows, isExact ? { total, isExact } : { ...upTo(total), isExact }, query);
    return { data: shown.map(presentListItem), meta: { ...meta, counts: { ...counts, all: isExact ? all : COUNTED } } };
  });
}

/** Which sales are listed. */
type Filters = {
  accountId: string;
  /** Undefined where no filter names any. */
  methods?: TransactionMethod[] | undefined;
  status?: TransactionStatus | undefined;
  /** Whole days, both included; undefined where the period is not of whole days. */
  days: { from: string | undefined; to: string | undefined } | undefined;
  /** When the sales were made: from the first instant on and before the second. */
  since: Date | undefined;
  until: Date | undefined;
  /** Between which ids theirs are, without the second. */
  ids: [first: string, end: string];
  /** Only sales of a lower id. */
  cursor?: string | undefined;
  /** The fields that the search may name. */
  names: Named[] | undefined;
  /** What the sales belong to. */
  related: Related[];
};

/** Which sales a query asks for, apart from what they belong to. */
export function filtersOf({ id, clockOffsetMs }: AccountContext, query: Asked): Omit<Filters, "related"> {
  const { type, method, from, to, search } = query;
  const { since, until } = boundsOf(query);
  // An id has its sale's own instant; an older id has one a little beside it, or that of real time.
  const first = since ? firstIdAt(new Date(since.getTime() - HOUR_MS - clockOffsetMs)) : FIRST_ID;
  const end = until ? firstIdAt(new Date(until.getTime() + HOUR_MS)) : LAST_ID;
  return {
    accountId: id,
    methods: type || method ? methodsOf(type, method) : undefined,
    days: isOfDays(query) ? { from, to } : undefined,
    since,
    until,
    ids: [first, end],
    names: search ? namedBy(search) : undefined,
  };
}

/** The filters of the list, which its export has too. */
type Asked = Omit<TransactionQuery, "page" | "per_page" | "cursor">;

const HOUR_MS = 3_600_000;

/** The methods that pass both filters. A withdrawal is no sale (`lib/withdrawals/transaction-list.ts`), so `cash_out` leaves none. */
const methodsOf = (type: TransactionQuery["type"], method: TransactionQuery["method"]) =>
  methodNames.filter((one) => (!type || methods[one].type === type) && (!method || one === method));

type Counts = { counts: Partial<Record<TransactionStatus, number>>; isExact: boolean };
type Counted = { status: TransactionStatus; number: number };

const countsOf = (rows: Counted[]) => Object.fromEntries(rows.map(({ status, number }) => [status, number]));

async function countKept(tx: Tx, { accountId, methods = methodNames, days }: Filters): Promise<Counts> {
  const kept = await countByStatus(tx, { accountId, basis: "created", methods, ...days });
  return { counts: countsOf(kept), isExact: true };
}

/** Counts sales one by one. A search reads no more than it counts, so it looks at the method afterwards. */
async function countFound(tx: Tx, { methods, ...rest }: Filters): Promise<Counts> {
  const values: unknown[] = [];
  const filters = rest.names ? rest : { ...rest, methods };
  const found = idsOf(filters, { skip: 0, take: COUNTED + 1 }, values);
  const isOne = `method = any(${parameter(values, methods ?? methodNames)}::"TransactionMethod"[])`;
  const text = `select status, count(*) filter (where ${isOne})::int as number, sum(count(*)) over ()::int as found
    from (${found}) f group by status`;
  const rows = await tx.$queryRawUnsafe<(Counted & { found: number })[]>(text, ...values);
  const counts = countsOf(rows.filter(({ number }) => number > 0));
  return { counts, isExact: rows.every((row) => row.found <= COUNTED) };
}

type Place = { skip: number; take: number };

/** Reads sales, newest first. */
export async function readRows(tx: Tx, filters: Filters, place: Place): Promise<Sale[]> {
  const values: unknown[] = [];
  const text = `select to_jsonb(t) as sale from (${idsOf(filters, place, values)}) page
    join transactions t on t.account_id = ${parameter(values, filters.accountId)}::uuid and t.id = page.id
    order by t.id desc`;
  const rows = await tx.$queryRawUnsafe<{ sale: Row }[]>(text, ...values);
  return rows.map(({ sale }) => saleOf(sale));
}

/**
 * SQL: id, status and method of the sales, newest first. Each branch reads one index from its newest id on, and no
 * further than the page needs: for a search the index of one field, which may name a sale that another field names too,
 * else that of one status of one method, or the key where neither is asked for. Only a branch that is limited itself is
 * read in order.
 */
function idsOf(filters: Filters, { skip, take }: Place, values: unknown[]): string {
  const { names, methods, status, related } = filters;
  const within = withinOf(filters, values);
  // Numbers are parameters too: each other text would be prepared as a statement of its own, and kept.
  const newest = `order by id desc limit ${parameter(values, skip + take)}::int`;
  const branch = (...conditions: string[]) =>
    `(select id, status, method from transactions where ${[within, ...conditions].join(" and ")} ${newest})`;
  const isMethod = (method: TransactionMethod) => `method = ${parameter(values, method)}::"TransactionMethod"`;
  const isStatus = (one: TransactionStatus) => `status = ${parameter(values, one)}::"TransactionStatus"`;
  const isAny = (some: TransactionMethod[]) => `method = any(${parameter(values, some)}::"TransactionMethod"[])`;

  const byName = ({ column, value }: Named) => {
    const isNamed = `${column} = ${parameter(values, value)}${column === "id" ? "::uuid" : ""}`;
    return branch(isNamed, ...(methods ? [isAny(methods)] : []), ...(status ? [isStatus(status)] : []));
  };
  const byStatus = (method: TransactionMethod) =>
    (status ? [status] : statuses).map((one) => branch(isMethod(method), isStatus(one)));
  const branches = names
    ? names.map(byName)
    : related.length > 0
      ? [branch(...(methods ? [isAny(methods)] : []), ...(status ? [isStatus(status)] : []))]
      : methods || status
        ? (methods ?? methodNames).flatMap(byStatus)
        : [branch()];
  const all = branches.length > 0 ? branches.join(names ? " union " : " union all ") : branch("false");
  const page = `limit ${parameter(values, take)}::int offset ${parameter(values, skip)}::int`;
  return `select * from (${all}) branches order by id desc ${page}`;
}

/** SQL: account, ids, instants, and what the sales belong to. */
function withinOf({ accountId, ids: [first, end], since, until, cursor, related }: Filters, values: unknown[]): string {
  const before = cursor && cursor.toLowerCase() < end ? cursor : end;
  return [
    `account_id = ${parameter(values, accountId)}::uuid`,
    `id >= ${parameter(values, first)}::uuid and id < ${parameter(values, before)}::uuid`,
    ...(since ? [`created_at >= ${parameter(values, since)}::timestamptz`] : []),
    ...(until ? [`created_at < ${parameter(values, until)}::timestamptz`] : []),
    ...related.map((one) => isRelated(one, values)),
  ].join(" and ");
}

/** SQL: whether a sale has one of these values. Only by equality with a single one does its index give sales in order. */
function isRelated({ column, any }: Related, values: unknown[]): string {
  if (isTracked(column)) {
    const value = column.startsWith("utm_") ? `tracking -> 'utm' ->> '${column.slice(4)}'` : `tracking ->> '${column}'`;
    return `tracking is not null and ${value} = ${parameter(values, any[0])}::text`;
  }
  const type = typeOfColumn[column];
  if (any.length === 1) return `${column} = ${parameter(values, any[0])}::${type}`;
  return `${column} = any(${parameter(values, any)}::${type}[])`;
}

const typeOfColumn = {
  ...{ plan_id: "uuid", cycle_id: "uuid", payment_link_id: "uuid", client_document: "text" },
} as const;

const isTracked = (column: Related["column"]): column is TrackedName => trackedNames.some((name) => name === column);

/** SQL: a parameter that has this value. */
const parameter = (values: unknown[], value: unknown) => `$${values.push(value)}`;
