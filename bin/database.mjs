import { checkSchema } from "./catalogue.mjs";
import { withClient } from "./client.mjs";
import { codeOf, messageOf } from "./faults.mjs";
import { plainError } from "./lifecycle.mjs";
import { migrate } from "./migrations.mjs";
import { ensureProgramRole, grantToProgram, programUrl } from "./roles.mjs";

/** @import { Client } from "pg" */

const OLDEST_POSTGRES = 15;
const POSTGRES_PORT = 5432;
/** The advisory lock under which several starters over one database take turns. The number is arbitrary. */
const STARTER_LOCK = 5_721_043_380;

/**
 * Brings the owner's database up to date and gives the program its role.
 *
 * Several starters may call it at once. It is quick when there is nothing to do.
 *
 * @param {string} ownerUrl
 * @param {string} sessionSecret The password of the program's role is derived from it.
 * @returns {Promise<string>} The program's own URL.
 */
export async function prepareDatabase(ownerUrl, sessionSecret) {
  const target = parseUrl(ownerUrl);
  let isConnected = false;
  try {
    return await withClient(ownerUrl, (client) => {
      isConnected = true;
      return bringUpToDate(client, ownerUrl, sessionSecret);
    });
  } catch (error) {
    throw isConnected ? error : plainError(reasonOf(error, target));
  }
}

/**
 * Runs under a lock that ends with the connection.
 *
 * @param {Client} client
 * @param {string} ownerUrl
 * @param {string} sessionSecret
 */
async function bringUpToDate(client, ownerUrl, sessionSecret) {
  await checkServer(client);
  await client.query("select pg_advisory_lock($1)", [STARTER_LOCK]);
  await migrate(client);
  await checkSchema(client);
  const url = programUrl(ownerUrl, sessionSecret);
  await ensureProgramRole(client, url);
  await grantToProgram(client, url);
  return url;
}

/**
 * Throws a plain error when DATABASE_URL is no address of a database. It needs no package, so that it can be called first.
 *
 * @param {string} url
 * @returns {{ server: string, host: string, port: number, user: string, database: string }} `host` is empty for a local socket.
 */
export function parseUrl(url) {
  const form = "DATABASE_URL must look like postgresql://user:password@host:5432/database.";
  if (!URL.canParse(url)) throw plainError(form);
  const { protocol, hostname, port, username, pathname } = new URL(url);
  if (!/^postgres(ql)?:$/.test(protocol) || pathname.length < 2) throw plainError(form);
  return {
    server: hostname ? `${hostname}:${port || POSTGRES_PORT}` : "the local socket",
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || POSTGRES_PORT),
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

/**
 * @param {unknown} error
 * @param {ReturnType<typeof parseUrl>} target
 */
function reasonOf(error, { server, user, database }) {
  const code = codeOf(error) ?? "";
  if (code === "3D000") return `PostgreSQL at ${server} has no database "${database}" (DATABASE_URL): create it first.`;
  if (/^28/.test(code)) return `PostgreSQL at ${server} does not let user "${user}" in (DATABASE_URL).`;
  return `PostgreSQL at ${server} (DATABASE_URL) cannot be reached: ${messageOf(error) || code}.`;
}

/** @param {Client} client */
async function checkServer(client) {
  const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as major");
  const { major } = rows[0];
  if (major < OLDEST_POSTGRES)
    throw plainError(`Repasse needs PostgreSQL ${OLDEST_POSTGRES} or newer; this is ${major}.`);
}
