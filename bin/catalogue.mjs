import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainError } from "./lifecycle.mjs";
import { readMigrations } from "./migrations.mjs";
import { root } from "./settings.mjs";

/** @import { Client } from "pg" */
/** @typedef {Record<string, string>} Definitions Definitions by object. */

const FILE = join(root, "prisma/catalogue.json");
const SHOWN_CHARACTERS = 200;

/**
 * Every object of schema public: its kind and name, and its definition as every PostgreSQL from 15 on writes it. NOT
 * NULL is part of its column, because only PostgreSQL 18 keeps a constraint for it.
 */
const OBJECTS = `
  with relation as (
    select oid, relname::text as name, relkind, relpersistence, relrowsecurity, relforcerowsecurity
    from pg_class where relnamespace = 'public'::regnamespace and relname <> '_prisma_migrations'
  ), ours as (select * from relation where relkind in ('r', 'p'))
  select 'table ' || name as object, concat_ws(', ',
      case relpersistence when 'u' then 'unlogged' else 'logged' end,
      case when relrowsecurity then 'row-level security' end,
      case when relforcerowsecurity then 'forced on its owner' end) as definition
    from ours
  union all select 'column ' || t.name || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, nullif(a.attidentity::text, ''), nullif(a.attgenerated::text, ''),
      'default ' || pg_get_expr(d.adbin, d.adrelid))
    from ours t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  union all select 'constraint ' || t.name || '.' || c.conname, pg_get_constraintdef(c.oid)
    from ours t join pg_constraint c on c.conrelid = t.oid and c.contype not in ('n', 't')
  union all select 'index ' || t.name || '.' || r.name,
      concat_ws(' ', pg_get_indexdef(r.oid), case when not i.indisvalid then 'invalid' end)
    from ours t join pg_index i on i.indrelid = t.oid join relation r on r.oid = i.indexrelid
    where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.conrelid = t.oid)
  union all select 'trigger ' || t.name || '.' || g.tgname,
      concat_ws(' ', pg_get_triggerdef(g.oid), case when g.tgenabled <> 'O' then 'not enabled' end)
    from ours t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
  union all select 'policy ' || t.name || '.' || p.polname, concat_ws(' ',
      case when p.polpermissive then 'permissive' else 'restrictive' end, p.polcmd::text,
      case when p.polroles = '{0}' then 'to all' else 'to some' end,
      'using ' || pg_get_expr(p.polqual, p.polrelid), 'check ' || pg_get_expr(p.polwithcheck, p.polrelid))
    from ours t join pg_policy p on p.polrelid = t.oid
  union all select 'sequence ' || r.name, concat_ws(' ', format_type(s.seqtypid, null), s.seqincrement,
      case when s.seqcycle then 'cycle' end)
    from relation r join pg_sequence s on s.seqrelid = r.oid
  union all select 'type ' || t.typname, string_agg(e.enumlabel, ', ' order by e.enumsortorder)
    from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = 'public'::regnamespace group by t.oid
  union all select 'function ' || p.proname || '(' || oidvectortypes(p.proargtypes) || ')', concat_ws(' ',
      pg_get_function_arguments(p.oid), 'returns', pg_get_function_result(p.oid), l.lanname,
      p.provolatile::text || p.proparallel::text, case when p.proisstrict then 'strict' end,
      case when p.prosecdef then 'security definer' end, array_to_string(p.proconfig, ' '),
      encode(sha256(convert_to(p.prosrc, 'UTF8')), 'hex'))
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'`;

/**
 * Throws a plain error that names each object of ours that is missing or differs. An operator's own objects are ignored.
 *
 * @param {Client} client
 */
export async function checkSchema(client) {
  const found = differences(readCatalogueFile().objects, await readCatalogue(client));
  if (found.length === 0) return;
  throw plainError(
    `The database is not as the migrations of this version make it:\n${found.map((line) => `  ${line}`).join("\n")}
Repasse does not start on it: put back what is named here, or bring back a backup.`,
  );
}

/**
 * The schema of a database, in order.
 *
 * @param {Client} client
 * @returns {Promise<Definitions>}
 */
export async function readCatalogue(client) {
  // With no search path every name is written with its schema. The other settings change how constants are written.
  await client.query(`begin read only; set local search_path = ''; set local intervalstyle = postgres;
    set local datestyle = iso; set local timezone = utc; set local quote_all_identifiers = off`);
  try {
    const { rows } = await client.query(OBJECTS);
    const definitions = rows.map(({ object, definition }) => [object, definition]);
    return Object.fromEntries(definitions.sort(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    await client.query("rollback");
  }
}

/**
 * One sentence for each object that is missing or differs. A missing table is one sentence, without its parts.
 *
 * @param {Definitions} expected
 * @param {Definitions} found
 */
export function differences(expected, found) {
  /** @param {string} object */
  const isMissing = (object) => !Object.hasOwn(found, object);
  /** @param {string} object */
  const tableOf = (object) => `table ${/^\w+ (\w+)\./.exec(object)?.[1]}`;
  return Object.entries(expected).flatMap(([object, definition]) => {
    if (isMissing(object)) {
      const isPart = Object.hasOwn(expected, tableOf(object)) && isMissing(tableOf(object));
      return isPart ? [] : [`The ${object} is missing.`];
    }
    if (found[object] === definition) return [];
    const isLong = object.startsWith("function") || definition.length > SHOWN_CHARACTERS;
    return [`The ${object} differs${isLong ? "." : `: it is "${found[object]}", not "${definition}".`}`];
  });
}

/**
 * prisma/catalogue.json: each released migration's SHA-256, and the schema that all of them make.
 *
 * @returns {{ migrations: Record<string, string>, objects: Definitions }}
 */
export function readCatalogueFile() {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

/**
 * Writes the file from a database that was just migrated. Throws a plain error when a released migration was changed.
 *
 * @param {Client} client
 */
export async function writeCatalogueFile(client) {
  const released = readCatalogueFile().migrations;
  const migrations = Object.fromEntries(readMigrations().map(({ name, checksum }) => [name, checksum]));
  const changed = Object.keys(released).find((name) => released[name] !== migrations[name]);
  if (changed) {
    throw plainError(
      `The migration ${changed} was changed. If it was ever released, put it back and make a new one; if not, delete its line in prisma/catalogue.json.`,
    );
  }
  const text = JSON.stringify({ migrations, objects: await readCatalogue(client) }, null, 2);
  writeFileSync(FILE, `${text}\n`);
}
