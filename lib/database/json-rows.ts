/** A row of a table as JSON, as `to_jsonb` writes it and `json_populate_recordset` reads it. */
export type Row = Record<string, Json>;

type Json = string | number | boolean | object | null | undefined;

/** How the JSON of a column is parsed. */
export const asIs = (json: Json) => json ?? null;
export const cents = (json: Json) => BigInt(String(json));
export const flag = (json: Json) => json === true;
export const instant = (json: Json) => (json ? new Date(String(json)) : null);

/** Every column of a table, by the record's member: its name, and how its JSON is parsed. */
type Columns<T> = { [Name in keyof T]-?: readonly [column: string, read: (json: Json) => unknown] };

/** Reads and writes the rows of a table as JSON, for statements that handle many at once. */
export function defineColumns<T extends object>(columns: Columns<T>) {
  const entries = Object.entries(columns) as [keyof T, Columns<T>[keyof T]][];
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
