/** A row of a table as JSON, as `to_jsonb` writes it and `json_populate_recordset` reads it. */
export type Row = Record<string, Json>;

type Json = string | number | boolean | object | null | undefined;

/** How the JSON of a column is parsed. */
const parse = {
  cents: (json: Json) => (json === null || json === undefined ? null : BigInt(String(json))),
  flag: (json: Json) => json === true,
  instant: (json: Json) => (json ? new Date(String(json)) : null),
  asIs: (json: Json) => json ?? null,
};

type MembersOf<T, Type> = { [Name in keyof T]-?: NonNullable<T[Name]> extends Type ? Name : never }[keyof T];

/** The members of a record that JSON would not give back. Most instants are known by their names, which end in "At". */
type Parsed<T> = Record<MembersOf<T, bigint>, "cents"> &
  Record<MembersOf<T, boolean>, "flag" | "asIs"> &
  Record<Exclude<MembersOf<T, Date>, `${string}At`>, "instant">;

/**
 * Reads and writes the rows of a table as JSON, for statements that handle many at once. `members` are all of a record, as
 * Prisma's client lists them; a column has its member's name in snake case.
 */
export function defineColumns<T extends object>(members: Readonly<Record<string, string>>, parsed: Parsed<T>) {
  const parsers: Readonly<Record<string, keyof typeof parse>> = parsed;
  const entries = (Object.keys(members) as (keyof T & string)[]).map((name) => {
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [name, [column, parse[parsers[name] ?? (name.endsWith("At") ? "instant" : "asIs")]]] as const;
  });
  return {
    /** SQL: the columns, separated by commas. */
    names: entries.map(([, [column]]) => column).join(", "),

    /** A record from the JSON of its row. */
    of(row: Row): T {
      const record: Partial<Record<keyof T, unknown>> = {};
      for (const [name, [column, read]] of entries) record[name] = read(row[column]);
      return record as T;
    },

    /** The row of a record, without members that are null or were not given. */
    rowOf(record: { [Name in keyof T]?: unknown }): Record<string, unknown> {
      const row: Record<string, unknown> = {};
      for (const [name, [column]] of entries) {
        const value = record[name];
        if (value !== null && value !== undefined) row[column] = jsonOf(value);
      }
      return row;
    },
  };
}

/** Cents as a number, which JSON can hold; all else as JSON writes it. */
const jsonOf = (value: unknown) => (typeof value === "bigint" ? Number(value) : value);
