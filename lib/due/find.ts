import { expectFew, IN_SCOPE } from "@/lib/db";

/** The columns of a key, each with its type, the row's own id last. */
export type Key = Readonly<Record<string, string>>;

/**
 * Rows that are due, described once for all who count, find, lock and claim them. In SQL the row is `t`.
 */
export type Due = {
  table: string;
  /** SQL: when the row is due. */
  at: string;
  /** SQL: what else must hold of it. It names what the index of the instants is of. */
  only?: string;
  /** Whose rows take turns: the columns that the index has before the instant. */
  of?: readonly string[];
  /** The order of the index, where it is not that of the instants. */
  order?: string;
};

/** Due rows that are worked on. */
export type DueRows = Due & {
  key: Key;
  /**
   * Given where `at` is on the clock of the row's account, which may run ahead: whether an index finds the rows of one
   * account by their instant, or only all its rows for which `only` holds.
   */
  clock?: { index: "instants" | "open" };
};

/** SQL: nobody waits for a row that another transaction has locked, and whoever locks one sees it as it is then. */
const LOCKED = "for update skip locked";

/**
 * SQL: what `select` finds of one table, without what another transaction has locked, locked until the end of this one; with
 * "share" others may lock it so too.
 */
export const locked = (select: string, mode: "update" | "share" = "update") =>
  `${select} ${LOCKED.replace("update", mode)}`;

/**
 * SQL, for `lateral`: the row that a row of `given` names by the key of both, locked; none while another transaction has it
 * locked. It is found by its key alone, whatever the rest of the statement says: a plan that was made when the table was
 * small would else read all that is due for each of them. With `isInScope` the statement sets its own tenant scope.
 */
export const lockedByKey = (table: string, key: Key, given: string, { isInScope = false } = {}) => `(
      select * from ${table} where ${isInScope ? `${IN_SCOPE} and ` : ""}${Object.keys(key)
        .map((column) => `${column} = ${given}.${column}`)
        .join(" and ")}
      offset 0 ${LOCKED}
    )`;

/** SQL: the arrays of parameters `from`, `from + 1`, … as rows of a relation with the columns of the key. */
export const given = (key: Key, from: number) => {
  const arrays = Object.values(key).map((type, i) => `$${from + i}::${type}[]`);
  return `unnest(${arrays.join(", ")}) with ordinality as given(${Object.keys(key).join(", ")}, place)`;
};

/** The key of a row that has its columns in camel case, as what this file selects has. */
export const keyOf = (key: Key, row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(key).map((column) => [camel(column), (row as Record<string, unknown>)[camel(column)]]),
  );

/** The id in it, which names the row by itself. */
export const idOf = (key: Key, row: object): string => String(Object.values(keyOf(key, row)).at(-1));

/** The values of the parameters of `given`. */
export const keysOf = (key: Key, rows: readonly object[]): unknown[][] => {
  const keys = rows.map((row) => Object.values(keyOf(key, row)));
  return Object.keys(key).map((_, i) => keys.map((values) => values[i]));
};

const camel = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** SQL: the key's columns of `t`, named as `keyOf` reads them. */
export const keyColumns = (key: Key) =>
  Object.keys(key)
    .map((column) => `t.${column} as "${camel(column)}"`)
    .join(", ");

/** SQL: the columns of the key of `t`. */
export const namesOf = (key: Key) =>
  Object.keys(key)
    .map((column) => `t.${column}`)
    .join(", ");

/**
 * SQL: `row` is the one that `picked` has found and locked, by the key of both. Never by its place (ctid): where another
 * transaction changed the row between the statement's snapshot and the lock, the lock is on the newest version, whose place
 * the snapshot does not see, so nothing would be changed. By the key the old version is found, and followed to the newest.
 */
export function isPicked(row: string, picked: string, key: Key = OWN_KEY): string {
  const [id, type] = idColumn(key);
  const equal = Object.keys(key).map((column) => `${row}.${column} = ${picked}.${column}`);
  return [expectFew(`${picked}.${id}`, type), ...equal].join(" and ");
}

const OWN_KEY: Key = { account_id: "uuid", id: "uuid" };

/** The column of the id, and its type. */
const idColumn = (key: Key) => Object.entries(key).at(-1) as [column: string, type: string];

/** SQL: the present on the clock of the account `a`. */
const PRESENT = "now() + a.clock_offset_ms * interval '1 millisecond'";

/**
 * SQL: up to `limit` rows that are due, the longest due first, locked. Parameters: the instant and the id after which they
 * come (`startOf` for all), and the ids that are left alone. Beside `columns` a row has its key and `dueAt`, which is null
 * where only the clock of its account makes it due.
 *
 * First comes what is due in real time, and so on every clock, because no clock runs behind; then what is due on clocks
 * ahead, account by account. The statement is to have no name, so that it is planned for the table as it is.
 */
export function findDue({ table, key, at, only = "true", clock }: DueRows, columns: string, limit: number): string {
  const [id, type] = idColumn(key);
  const except = `t.${id} <> all($3::${type}[])`;
  const real = `select ${keyColumns(key)}, (${at})::text as "dueAt"${columns} from ${table} t
    where (${at}, t.${id}) > ($1::timestamptz, $2::${type}) and ${at} <= now() and ${only} and ${except}
    order by ${at}, t.${id} limit ${limit} ${LOCKED}`;
  if (!clock) return real;
  // Where the index has no account, no comparison with an instant may lead the planner to it.
  const ahead =
    clock.index === "instants"
      ? `${at} > now() and ${at} <= ${PRESENT}`
      : `${at} - now() > interval '0' and ${at} - now() <= a.clock_offset_ms * interval '1 millisecond'`;
  return `select * from (${real}) due
  union all
  select ahead.* from accounts a cross join lateral (
    select ${keyColumns(key)}, null${columns} from ${table} t
    where t.account_id = a.id and ${ahead} and ${only} and ${except}
    order by ${at}, t.${id} limit ${limit} ${LOCKED}
  ) ahead
  where a.clock_offset_ms > 0
  limit ${limit}`;
}

/** What comes before every due row: the first two parameters of `findDue`. */
export const startOf = (key: Key) => ({
  dueAt: "-infinity",
  id: idColumn(key)[1] === "uuid" ? "00000000-0000-0000-0000-000000000000" : "",
});

/** SQL: the same of one account. Parameters: the ids that are left alone, and the account. */
export function findDueOf({ table, key, at, only = "true", clock }: DueRows, columns: string, limit: number): string {
  const [id, type] = idColumn(key);
  return `select due.* from accounts a cross join lateral (
    select ${keyColumns(key)}, null as "dueAt"${columns} from ${table} t
    where t.account_id = a.id and ${at} <= ${clock ? PRESENT : "now()"} and ${only} and t.${id} <> all($1::${type}[])
    order by ${at}, t.${id} limit ${limit} ${LOCKED}
  ) due
  where a.id = $2::uuid`;
}

/** SQL: those of the rows with the given keys that are still due, locked. Parameters: the values of their keys (`keysOf`). */
export function findGiven({ table, key, at, only = "true", clock }: DueRows, columns: string): string {
  const present = clock ? `(select ${PRESENT} from accounts a where a.id = t.account_id)` : "now()";
  return `select ${keyColumns(key)}, null as "dueAt"${columns}
  from ${given(key, 1)} cross join lateral ${lockedByKey(table, key, "given")} t
  where ${only} and ${at} <= ${present} order by place`;
}

/**
 * SQL: a recursive query `turn` of all whose rows take turns (`of`), with the names of `keys`, and of when the first row of
 * each is due (`first_at`): one step of the index for each, however many rows wait. `begin` is a condition on the first.
 */
export function turnsOf(
  { table, at, only = "true", of = [], order = at }: Due,
  keys: readonly string[],
  { begin = "true", isInScope = false } = {},
): string {
  const columns = of.join(", ");
  const first = (
    where: string,
  ) => `select ${of.map((column, i) => `${column} as ${keys[i]}`).join(", ")}, ${at} as first_at
      from ${table} t where ${isInScope ? `${IN_SCOPE} and ` : ""}${only} and ${where} order by ${columns}, ${order} limit 1`;
  return `turn (${keys.join(", ")}, first_at) as (
    (${first(begin)})
    union all
    select n.* from turn cross join lateral (
      ${first(`(${columns}) > (${keys.map((key) => `turn.${key}`).join(", ")})`)}
    ) n
  )`;
}
