import { ensureDatabase, withClient } from "../../bin/client.mjs";
import { codeOf } from "../../bin/faults.mjs";

/**
 * The code that Prisma's CLI knows for a code of Node or PostgreSQL.
 *
 * @type {Record<string, string>}
 */
const PRISMA_CODES = {
  "3D000": "P1003",
  "28P01": "P1000",
  28000: "P1010",
  "42P04": "P1009",
  ECONNREFUSED: "P1001",
  ENOTFOUND: "P1001",
};

const ALREADY_EXISTS = ["42P04", "23505"];

/**
 * The URL of another database of the same server, without Prisma's own URL parameters.
 *
 * @param {string} url
 * @param {string} name
 */
export function withDatabase(url, name) {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  other.searchParams.delete("schema");
  return other.href;
}

/** @param {string} url */
export function databaseName(url) {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/**
 * Creates the database that `url` names, unless it is there.
 *
 * @param {string} url
 */
export async function createDatabase(url) {
  const name = databaseName(url);
  await withClient(withDatabase(url, "postgres"), (client) => ensureDatabase(client, name)).catch((error) => {
    if (!ALREADY_EXISTS.includes(codeOf(error) ?? "")) throw error;
  });
  return { databaseName: name };
}

/**
 * Throws PostgreSQL's error when no connection can be made to the database that `url` names.
 *
 * @param {string} url
 */
export function checkConnection(url) {
  return withClient(withDatabase(url, databaseName(url)), () => ({}));
}

/**
 * The error code that Prisma's CLI knows, or undefined.
 *
 * @param {unknown} error
 */
export function prismaCode(error) {
  const code = codeOf(error) ?? "";
  return /^P\d{4}$/.test(code) ? code : PRISMA_CODES[code];
}
