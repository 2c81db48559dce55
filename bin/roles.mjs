import { createHash, createHmac, hkdfSync, pbkdf2Sync, randomBytes } from "node:crypto";
import { withClient } from "./client.mjs";
import { codeOf, messageOf } from "./faults.mjs";
import { plainError } from "./lifecycle.mjs";

/** @import { Client, QueryResult } from "pg" */
/** @typedef {"table" | "sequence" | "function"} Kind */

const SCRAM_ITERATIONS = 4096;
/**
 * The settings of every session of the program. They are the role's and not start-up options of a connection, because a
 * pooler between refuses those. Each statement keeps one generic plan, because planning it again for each array costs
 * more than running it. Statements go by keys, so no plan reads a whole table where an index serves: one that was made
 * while the table was tiny, or just vacuumed, would be kept while it grows. No plan is compiled: that takes longer than
 * any of them runs, and PostgreSQL before 18 would compile each plan that reads a table without an index after all. The
 * time-outs end statements that run too long (background work gives its own transactions longer; `lib/db.ts`), sooner
 * than the program takes the server for silent, and transactions that idle too long.
 */
const SETTINGS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  jit: "off",
  statement_timeout: "5s",
  idle_in_transaction_session_timeout: "60s",
};
/**
 * What the grants on all tables give too much, by table. The program only reads the ledger, which functions with the
 * owner's rights write, as one writes the chains of events. What happened is never changed, and a share not once it was
 * agreed.
 *
 * @type {Record<string, string>}
 */
const TOO_MUCH = {
  ...Object.fromEntries(
    ["entries", "postings", "snapshots", "tail", "days"].map((name) => [
      `ledger_${name}`,
      "insert, update, delete, truncate",
    ]),
  ),
  events: "update, delete, truncate",
  audit_links: "insert, update, delete, truncate",
  audit_marks: "update, delete, truncate",
  audit_publications: "update, delete, truncate",
  shares: "update, delete, truncate",
  plan_splits: "delete, truncate",
  _prisma_migrations: "all",
};

/**
 * The URL of the same database for the program's own role. Every starter derives the role's password from the same secret.
 *
 * @param {string} ownerUrl
 * @param {string} sessionSecret
 */
export function programUrl(ownerUrl, sessionSecret) {
  const url = new URL(ownerUrl);
  const role = `${decodeURIComponent(url.pathname.slice(1))}_program`;
  url.username = encodeURIComponent(role);
  url.password = Buffer.from(hkdfSync("sha256", sessionSecret, "", `database role ${role}`, 32)).toString("base64url");
  return url.href;
}

/**
 * Makes the role that `url` names, or gives it the password in `url`, unless it can log in already.
 *
 * @param {Client} client
 * @param {string} url
 */
export async function ensureProgramRole(client, url) {
  const { role, password } = credentialsOf(url);
  const { rows } = await client.query("select rolsuper or rolbypassrls as unbound from pg_roles where rolname = $1", [
    role,
  ]);
  const [present] = rows;
  if (present?.unbound) {
    throw plainError(`The role "${role}" bypasses row-level security: make it NOSUPERUSER and NOBYPASSRLS.`);
  }
  if (present && (await canLogIn(url))) return;
  // A verifier, not the password: servers log this kind of statement.
  const verifier = client.escapeLiteral(scramVerifier(password));
  const verb = present ? "alter" : "create";
  try {
    await client.query(`${verb} role ${client.escapeIdentifier(role)} login password ${verifier}`);
  } catch (error) {
    if (codeOf(error) !== "42501") throw error;
    throw plainError(`The user of DATABASE_URL may not ${verb} the role "${role}": give it CREATEROLE.`);
  }
}

/**
 * Gives the program's role what it needs and nothing more: no right to change the schema or history.
 *
 * @param {Client} client The owner's connection.
 * @param {string} url The program's URL.
 */
export async function grantToProgram(client, url) {
  try {
    await grantAll(client, url);
    await withClient(url, setDefaults);
  } catch (error) {
    if (codeOf(error) !== "42501") throw error;
    throw plainError(`The user of DATABASE_URL must own its database and have CREATEROLE: ${messageOf(error)}.`);
  }
}

/**
 * @param {Client} client
 * @param {string} url
 */
async function grantAll(client, url) {
  const { role } = credentialsOf(url);
  const program = client.escapeIdentifier(role);
  const { rows } = await client.query("select current_database() as name");
  const database = client.escapeIdentifier(rows[0].name);
  await client.query(`
    begin;
    grant connect on database ${database} to ${program};
    revoke create on schema public from public;
    grant usage on schema public to ${program};
    ${await grants(client, program)}
    alter default privileges in schema public grant select, insert, update, delete on tables to ${program};
    alter default privileges in schema public grant usage on sequences to ${program};
    alter default privileges in schema public grant execute on functions to ${program};
    ${await revocations(client, program)}
    commit;`);
}

/**
 * The program's rights on each object of ours, without the objects of extensions and of other roles. A function with
 * the owner's rights is closed to everybody else at each start, because a restored dump may open it.
 *
 * @param {Client} client
 * @param {string} program The role, quoted.
 */
async function grants(client, program) {
  /** @type {QueryResult<{ kind: Kind, name: string, is_definer: boolean }>} */
  const { rows } = await client.query(`
    with ours as (
      select 'pg_class'::regclass as catalogue, oid, relowner as owner, oid::regclass::text as name,
        case relkind when 'S' then 'sequence' else 'table' end as kind, false as is_definer
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')
      union all
      select 'pg_proc'::regclass, oid, proowner, oid::regprocedure::text, 'function', prosecdef
      from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
    )
    select kind, name, is_definer from ours where pg_has_role(owner, 'usage') and not exists (
      select from pg_depend d where d.classid = ours.catalogue and d.objid = ours.oid and d.deptype = 'e'
    )`);
  /** @type {Record<Kind, string>} */
  const rights = { table: "select, insert, update, delete", sequence: "usage", function: "execute" };
  return rows
    .flatMap(({ kind, name, is_definer }) => [
      ...(is_definer ? [`revoke execute on function ${name} from public;`] : []),
      `grant ${rights[kind]} on ${kind} ${name} to ${program};`,
    ])
    .join("\n    ");
}

/**
 * Revokes what the grants on all tables gave too much, in the same transaction.
 *
 * @param {Client} client
 * @param {string} program
 */
async function revocations(client, program) {
  const { rows } = await client.query(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relname = any($1)",
    [Object.keys(TOO_MUCH)],
  );
  return rows.map(({ name }) => `revoke ${TOO_MUCH[name]} on public.${name} from ${program};`).join("\n    ");
}

/**
 * Any role may set its own defaults, so this works where somebody else made the role. Later sessions have them.
 *
 * @param {Client} program A connection of the program's role.
 */
async function setDefaults(program) {
  const { rows } = await program.query("select rolconfig as kept from pg_roles where rolname = current_user");
  const wanted = Object.entries(SETTINGS).filter(([name, value]) => !rows[0].kept?.includes(`${name}=${value}`));
  for (const [name, value] of wanted) await program.query(`alter role current_user set ${name} = '${value}'`);
}

/** @param {string} url */
function canLogIn(url) {
  return withClient(url, () => true).catch((error) => {
    if (/^28/.test(codeOf(error) ?? "")) return false;
    throw error;
  });
}

/** @param {string} url */
function credentialsOf(url) {
  const { username, password } = new URL(url);
  return { role: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/**
 * What PostgreSQL itself would store for a password (RFC 5803).
 *
 * @param {string} password
 */
function scramVerifier(password) {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  const storedKey = createHash("sha256").update(clientKey).digest("base64");
  const serverKey = createHmac("sha256", salted).update("Server Key").digest("base64");
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
