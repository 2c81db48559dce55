import { checkSchema } from "./catalogue.mjs";
import { withClient } from "./client.mjs";
import { sentence } from "./lifecycle.mjs";
import { migrate } from "./migrations.mjs";
import { ensureProgramRole, grantToProgram, programUrl } from "./roles.mjs";

const OLDEST_POSTGRES = 15;
/** Any number of ours: several starters over one database take turns under it. */
const STARTER_LOCK = 5_721_043_380;

/**
 * Brings the owner's database up to date and gives the program its role.
 *
 * Returns the program's own URL. Safe to run by several starters at once, and quick when there is nothing to do.
 */
export async function prepareDatabase(ownerUrl, sessionSecret) {
  const target = parseUrl(ownerUrl);
  let entered = false;
  try {
    return await withClient(ownerUrl, (client) => {
      entered = true;
      return bringUpToDate(client, ownerUrl, sessionSecret);
    });
  } catch (error) {
    throw entered ? error : sentence(reasonOf(error, target));
  }
}

/** The lock goes with the connection. */
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

/** Throws a sentence when DATABASE_URL is no address of a database. Needs no package: it is checked before all else. */
export function parseUrl(url) {
  const form = "DATABASE_URL must look like postgresql://user:password@host:5432/database.";
  if (!URL.canParse(url)) throw sentence(form);
  const { protocol, hostname, port, username, pathname } = new URL(url);
  if (!/^postgres(ql)?:$/.test(protocol) || pathname.length < 2) throw sentence(form);
  return {
    server: `${hostname || "the local socket"}${hostname ? `:${port || 5432}` : ""}`,
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

function reasonOf({ code, message }, { server, user, database }) {
  if (code === "3D000") return `PostgreSQL at ${server} has no database "${database}" (DATABASE_URL): create it first.`;
  if (/^28/.test(code ?? "")) return `PostgreSQL at ${server} does not let user "${user}" in (DATABASE_URL).`;
  return `PostgreSQL at ${server} (DATABASE_URL) cannot be reached: ${message || code}.`;
}

async function checkServer(client) {
  const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as major");
  const { major } = rows[0];
  if (major < OLDEST_POSTGRES)
    throw sentence(`Repasse needs PostgreSQL ${OLDEST_POSTGRES} or newer; this is ${major}.`);
}
