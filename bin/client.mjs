import { writableUrl } from "./hosts.mjs";

/** @import { Client } from "pg" */

const CONNECT_WITHIN_MS = 10_000;

/**
 * Runs `work` with one connection to the database at `url`, of several hosts to the one that takes writes, and closes it.
 * Throws what the connection threw.
 *
 * @template T
 * @param {string} url
 * @param {(client: Client) => T | Promise<T>} work
 */
export async function withClient(url, work) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: await writableUrl(url),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // A connection that breaks between two statements is reported by the next statement.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes a database unless it is there. Throws a unique violation or 42P04 when another caller makes it at the same time.
 *
 * @param {Client} client A connection to another database of the same server.
 * @param {string} name
 */
export async function ensureDatabase(client, name) {
  const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
  if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
}
