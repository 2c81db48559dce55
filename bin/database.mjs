import { checkSchema } from "./catalogue.mjs";
import { withClient } from "./client.mjs";
import { codeOf, messageOf } from "./faults.mjs";
import { urlsOf } from "./hosts.mjs";
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
 * @param {string} ownerUrl Leads past a pooler of transactions: the starters' lock belongs to a session.
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
 * Throws a plain error when a setting is no address of a database. It needs no package, so that it can be called first.
 *
 * @param {string} url
 * @param {string} [name] The setting's.
 * @returns {{ server: string, hosts: { host: string, port: number }[], user: string, database: string }} `hosts` is
 *   empty for a local socket.
 */
export function parseUrl(url, name = "DATABASE_URL") {
  const form = `${name} must look like postgresql://user:password@host:5432/database.`;
  if (!URL.canParse(url)) throw plainError(form);
  const { protocol, hostname, username, pathname, searchParams } = new URL(url);
  if (!/^postgres(ql)?:$/.test(protocol) || pathname.length < 2) throw plainError(form);
  if (searchParams.has("target_session_attrs")) {
    throw plainError(`${name}: of several hosts Repasse needs target_session_attrs=read-write.`);
  }
  const hosts = hostname ? hostsOf(url, form) : [];
  return {
    server: hosts.map(({ host, port }) => `${host}:${port}`).join(" or ") || "the local socket",
    hosts,
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

/**
 * @param {string} url
 * @param {string} form What it must look like.
 */
function hostsOf(url, form) {
  return urlsOf(url).map((one) => {
    const { hostname, port } = new URL(one);
    if (!hostname) throw plainError(form);
    return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || POSTGRES_PORT) };
  });
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
