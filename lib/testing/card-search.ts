import { createHash, randomInt } from "node:crypto";
import type pg from "pg";
import { connected, ownerUrl } from "@/lib/testing/own-database";

/** Cards to search for afterwards, all of one holder and with one CVV. */
export type Canaries = { numbers: Record<string, string>; holder: string; cvv: string };

const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join("");

/** A new Visa number that passes Luhn's check. */
export function someNumber(): string {
  const start = `4${digits(14)}`;
  const sum = [...start].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return start + ((10 - (sum % 10)) % 10);
}

/** A new holder. */
export const someHolder = () =>
  `QX${Array.from({ length: 12 }, () => String.fromCharCode(65 + randomInt(26))).join("")}`;

/**
 * A new CVV. It begins with 0, because V8 writes the numbers 1 to 9999 into every heap snapshot, and is none of the
 * numbers' last four digits, because those are stored.
 */
export function someCvv(numbers: string[]): string {
  const cvv = `0${digits(3)}`;
  return numbers.some((number) => number.endsWith(cvv)) ? someCvv(numbers) : cvv;
}

/** The forms in which a number, a holder or a CVV may be stored. The CVV alone is too short to search for. */
function formsOf({ numbers, holder, cvv }: Canaries): Map<string, Buffer> {
  const forms = new Map<string, Buffer>();
  const add = (name: string, text: string) => {
    for (const encoding of ["latin1", "hex", "utf16le"] as const) {
      forms.set(`${name} in ${encoding}`, encoded(text, encoding));
    }
  };
  const addLong = (name: string, text: string) => {
    add(name, text);
    for (const before of [0, 1, 2]) forms.set(`${name} in base64, ${before} bytes on`, inBase64(text, before));
  };
  addLong("the holder", holder);
  for (const [name, number] of Object.entries(numbers)) {
    addLong(name, number);
    for (const mark of [" ", "-"]) addLong(`${name} with "${mark}"`, number.replace(/\d{4}(?=\d)/g, `$&${mark}`));
    const digest = createHash("sha256").update(number).digest();
    forms.set(`${name}'s bare SHA-256`, digest);
    forms.set(`${name}'s bare SHA-256 in hex`, Buffer.from(digest.toString("hex")));
  }
  for (const text of [`"${cvv}"`, `"${cvv}\\"`, `cvv=${cvv}`, `cvv: ${cvv}`, `cvv":${cvv}`, `cvv": ${cvv}`]) {
    add(`the CVV as ${text}`, text);
  }
  const asColumn = String.fromCharCode(((cvv.length + 1) << 1) | 1) + cvv; // a short text in PostgreSQL's storage format
  return forms.set("the CVV as a column", encoded(asColumn, "latin1"));
}

/** Encodes a text. UTF-16 is without its last zero, so that it is found in both byte orders. */
function encoded(text: string, encoding: "latin1" | "hex" | "utf16le"): Buffer {
  if (encoding === "hex") return Buffer.from(Buffer.from(text).toString("hex"));
  return Buffer.from(text, encoding).subarray(0, encoding === "utf16le" ? -1 : undefined);
}

/** The base64 letters of a text that stay the same inside a longer text, `before` bytes after a multiple of three. */
function inBase64(text: string, before: number): Buffer {
  const whole = Buffer.from("\0".repeat(before) + text).toString("base64");
  const sure = Math.floor(((before + text.length) * 8) / 6);
  return Buffer.from(whole.slice(Math.ceil((before * 8) / 6), sure));
}

/** Makes a function that returns the names of the forms that it finds in bytes. */
export function searchFor(canaries: Canaries) {
  const forms = formsOf(canaries);
  const search = (bytes: Buffer) => [...forms].flatMap(([form, needle]) => (bytes.includes(needle) ? [form] : []));
  return Object.assign(search, { forms });
}

type Named = { name: string; file: string; kind: string };

/** Every table except PostgreSQL's own: its values one by one in quotes, bytes as they are, and all its files. */
export async function everyTable(client: pg.Client): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  await client.query("checkpoint"); // brings the files up to date
  const { rows } = await client.query<Named>(
    `select oid::regclass::text as name, relkind as kind, pg_relation_filepath(oid) as file from pg_class
     where relkind in ('r', 'i', 't')
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
  );
  for (const { name, kind, file } of rows) {
    found.set(`the file of ${name}`, await readFile(client, file));
    if (kind !== "r") continue;
    const { rows: kept } = await client.query<unknown[]>({ text: `select * from ${name}`, rowMode: "array" });
    const values = kept.flat().flatMap((value) => [Buffer.from('"'), bytesOf(value), Buffer.from('"\n')]);
    found.set(`table ${name}`, Buffer.concat(values));
  }
  return found;
}

function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  return Buffer.from(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

async function readFile(client: pg.Client, path: string): Promise<Buffer> {
  const { rows } = await client.query<{ bytes: Buffer }>("select pg_read_binary_file($1, true) as bytes", [path]);
  return rows[0]?.bytes ?? Buffer.alloc(0);
}

/**
 * Runs work while PostgreSQL keeps the write-ahead log; `read` passes each of the log's files so far to its callback.
 */
export async function withWriteAheadLog(run: (read: (look: (file: Buffer) => void) => Promise<void>) => Promise<void>) {
  await connected(ownerUrl(), async (client) => {
    const slot = `canary_${digits(8)}`;
    const { rows } = await client.query<{ start: string }>(
      "select pg_walfile_name(pg_current_wal_lsn()) as start from pg_create_physical_replication_slot($1, true)",
      [slot],
    );
    try {
      await run(async (look) => {
        await client.query("select pg_switch_wal()");
        const names = await client.query<{ name: string }>(
          `select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$' and name >= $1
             and name <= pg_walfile_name(pg_current_wal_flush_lsn()) order by name`,
          [rows[0]?.start],
        );
        for (const { name } of names.rows) look(await readFile(client, `pg_wal/${name}`));
      });
    } finally {
      await client.query("select pg_drop_replication_slot($1)", [slot]);
    }
  });
}
