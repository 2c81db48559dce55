import { hash, randomBytes } from "node:crypto";
import { realNow } from "@/lib/time/clock";

const DRAWN = 4_096;

let drawn = Buffer.alloc(0);

/**
 * Random bytes for what is no secret (ids, nonces), each handed out once. They are drawn from the system 4 kB at a
 * time, because a draw costs 4 µs whatever its size. Secrets and keys are drawn one by one.
 */
export function openRandom(count: number): Buffer {
  if (drawn.length < count) drawn = randomBytes(DRAWN);
  const bytes = drawn.subarray(0, count);
  drawn = drawn.subarray(count);
  return bytes;
}

/** The counter of an id's millisecond has 12 bits, and starts at random in their lower half, which leaves it room. */
const HIGHEST_COUNTER = 0xfff;

/** The millisecond and the counter of this process's last id. */
let last = { ms: 0, counter: 0 };

/**
 * A UUIDv7 (RFC 9562), so that newest-first lists are keyed on the id itself: ordered by millisecond, and what one
 * process makes within a millisecond by a counter (section 6.2, method 1), up to some 2,000 ids. That of a record on an
 * account's clock has the record's own instant.
 */
export function newId(at?: Date): string {
  const bytes = openRandom(16);
  const ms = at?.getTime() ?? realNow().getTime();
  const counter =
    ms === last.ms ? (last.counter + 1) & HIGHEST_COUNTER : bytes.readUInt16BE(6) & (HIGHEST_COUNTER >> 1);
  last = { ms, counter };
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The first of the ids that have this instant. Instants before 1970 have none, and get the first id of all. */
export function firstIdAt(at: Date): string {
  const hex = Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The real instant at which a UUIDv7 was made. */
export const realTime = (id: string) => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID; no other text is the id of a record. */
export const isId = (text: string) => UUID.test(text);

/** An id without hyphens, in the letters and digits that PSPs and codes take. */
export const digitsOf = (id: string) => id.replaceAll("-", "");

/** The id that is written without hyphens; undefined for what is no id. */
export function idOf(digits: string): string | undefined {
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return isId(id) && digits.length === DIGITS ? id : undefined;
}

const DIGITS = 32;

/** The number that a text writes, if it can be the id of a numbered record: a PostgreSQL integer from 1 on. */
export function readNumber(text: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id >= 1 && id <= 2_147_483_647 ? id : undefined;
}

/** 256 random bits as 43 characters of base64url: tokens, secrets, API keys. */
export const newSecret = () => randomBytes(32).toString("base64url");

/**
 * The hash by which a random secret is stored; above 112 bits of entropy no slow hash is needed.
 */
export const sha256 = (content: string | Uint8Array) => hash("sha256", content, "buffer");

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` random letters and digits for identifiers that are no secret (txid of a static BR Code: 1–25). */
export function newAlphanumeric(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of openRandom(length)) {
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62];
    }
  }
  return text;
}
