import { createHash, createHmac, hkdfSync, pbkdf2Sync, randomBytes } from "node:crypto";
import { withClient } from "./client.mjs";
import { sentence } from "./lifecycle.mjs";

const SCRAM_ITERATIONS = 4096;
/**
 * What the grants over all tables give too much. The program reads the ledger, and writes it by functions of the owner's
 * alone; a share is never changed once it was agreed.
 */
const TOO_MUCH = {
  ...Object.fromEntries(
    ["entries", "postings", "snapshots", "tail"].map((name) => [`ledger_${name}`, "insert, update, delete, truncate"]),
  ),
  shares: "update, delete, truncate",
  _prisma_migrations: "all",
};

/** The same database for the program's own role, whose password every starter derives from the same secret. */
export function programUrl(ownerUrl, sessionSecret) {
  const url = new URL(ownerUrl);
  const role = `${decodeURIComponent(url.pathname.slice(1))}_program`;
  url.username = encodeURIComponent(role);
  url.password = Buffer.from(hkdfSync("sha256", sessionSecret, "", `database role ${role}`, 32)).toString("base64url");
  return url.href;
}

/** Makes the role that `url` names, or gives it the password in `url`, unless it can log in already. */
export async function ensureProgramRole(client, url) {
  const { role, password } = credentialsOf(url);
  const { rows } = await client.query("select rolsuper or rolbypassrls as unwalled from pg_roles where rolname = $1", [
    role,
  ]);
  const [present] = rows;
  if (present?.unwalled) throw sentence(`The role "${role}" passes every wall in the database: take that from it.`);
  if (present && (await canLogIn(url))) return;
  // A verifier, not the password: servers log this kind of statement.
  const verifier = client.escapeLiteral(scramVerifier(password));
  const verb = present ? "alter" : "create";
  try {
    await client.query(`${verb} role ${client.escapeIdentifier(role)} login password ${verifier}`);
  } catch (error) {
    if (error.code !== "42501") throw error;
    throw sentence(`The user of DATABASE_URL may not ${verb} the role "${role}": give it CREATEROLE.`);
  }
}

/** Gives the program's role what it needs and nothing more: no right to change the schema or history. */
export async function grantToProgram(client, url) {
  try {
    await grantAll(client, url);
    await makeJobTable(url);
  } catch (error) {
    if (error.code !== "42501") throw error;
    throw sentence(`The user of DATABASE_URL must own its database and have CREATEROLE: ${error.message}.`);
  }
}

async function grantAll(client, url) {
  const { role } = credentialsOf(url);
  const program = client.escapeIdentifier(role);
  const { rows } = await client.query("select current_database() as name, current_user as owner");
  const database = client.escapeIdentifier(rows[0].name);
  // To make a schema that belongs to another role, one must be able to act as it.
  const { rows: member } = await client.query("select pg_has_role($1, 'usage') as yes", [role]);
  if (!member[0].yes) await client.query(`grant ${program} to ${client.escapeIdentifier(rows[0].owner)}`);
  await client.query(`
    begin;
    grant connect on database ${database} to ${program};
    revoke create on schema public from public;
    grant usage on schema public to ${program};
    ${await grants(client, program)}
    alter default privileges in schema public grant select, insert, update, delete on tables to ${program};
    alter default privileges in schema public grant usage on sequences to ${program};
    alter default privileges in schema public grant execute on functions to ${program};
    ${await withdrawals(client, program)}
    create schema if not exists graphile_worker authorization ${program};
    commit;`);
}

/**
 * The program's rights on each object of ours: what an extension brought, or another role keeps closed, is no matter.
 * A function with the owner's rights is closed to everybody else at each start, because a restored dump may open it.
 */
async function grants(client, program) {
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
  const rights = { table: "select, insert, update, delete", sequence: "usage", function: "execute" };
  return rows
    .flatMap(({ kind, name, is_definer }) => [
      ...(is_definer ? [`revoke execute on function ${name} from public;`] : []),
      `grant ${rights[kind]} on ${kind} ${name} to ${program};`,
    ])
    .join("\n    ");
}

/** Takes back what the grants over all tables gave too much, in the same transaction. */
async function withdrawals(client, program) {
  const { rows } = await client.query(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relname = any($1)",
    [Object.keys(TOO_MUCH)],
  );
  return rows.map(({ name }) => `revoke ${TOO_MUCH[name]} on public.${name} from ${program};`).join("\n    ");
}

/** With its first table there, graphile-worker skips `create schema`, which the program may not do. */
async function makeJobTable(url) {
  await withClient(url, (client) =>
    client.query(`create table if not exists graphile_worker.migrations
      (id int primary key, ts timestamptz default now() not null, breaking boolean not null default false)`),
  );
}

function canLogIn(url) {
  return withClient(url, () => true).catch((error) => {
    if (/^28/.test(error.code ?? "")) return false;
    throw error;
  });
}

function credentialsOf(url) {
  const { username, password } = new URL(url);
  return { role: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** What PostgreSQL itself would store for a password (RFC 5803). */
function scramVerifier(password) {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  const storedKey = createHash("sha256").update(clientKey).digest("base64");
  const serverKey = createHmac("sha256", salted).update("Server Key").digest("base64");
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
