import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { withClient } from "../../bin/client.mjs";
import { databaseName, withDatabase } from "./databases.mjs";

/** @import { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory, SqlQuery } from "@prisma/driver-adapter-utils" */
/** @typedef {{ url?: string, shadowDatabaseUrl?: string }} Datasource */
/**
 * The methods of PrismaPg's adapter that its types keep private.
 *
 * @typedef {object} Internals
 * @property {(query: SqlQuery) => Promise<pg.QueryResult>} performIO
 * @property {(error: unknown) => never} onError
 */

const OID = { char: 18, text: 25, nameArray: 1003, textArray: 1009 };

/**
 * The connections a migration needs: to the database itself, and to a shadow database that is dropped afterwards.
 *
 * @param {Datasource} datasource
 * @returns {SqlMigrationAwareDriverAdapterFactory}
 */
export function adapterFactory({ url, shadowDatabaseUrl }) {
  const schema = (url && new URL(url).searchParams.get("schema")) || undefined;
  return {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: async () => (url ? openAdapter(withDatabase(url, databaseName(url)), schema) : noDatabase),
    async connectToShadowDb() {
      if (!url) throw new Error("DATABASE_URL is not set, and this needs a shadow database");
      if (shadowDatabaseUrl) return openAdapter(shadowDatabaseUrl, schema);
      const shadow = `prisma_migrate_shadow_db_${randomUUID()}`;
      const admin = withDatabase(url, "postgres");
      await withClient(admin, (client) => client.query(`create database "${shadow}"`));
      const drop = () =>
        withClient(admin, (client) => client.query(`drop database if exists "${shadow}" with (force)`));
      return openAdapter(withDatabase(url, shadow), schema, drop);
    },
  };
}

/**
 * The engine reads a database even when it compares two files. Without DATABASE_URL it reads this empty one.
 *
 * @type {SqlDriverAdapter}
 */
const noDatabase = {
  provider: "postgres",
  adapterName: "@prisma/adapter-pg",
  getConnectionInfo: () => ({ supportsRelationJoins: true }),
  queryRaw: async () => ({ columnNames: [], columnTypes: [], rows: [] }),
  executeRaw: async () => 0,
  executeScript: refuse,
  startTransaction: refuse,
  dispose: async () => {},
};

/** @returns {Promise<never>} */
async function refuse() {
  throw new Error("DATABASE_URL is not set");
}

/**
 * Prisma's adapter with what the schema engine needs: catalogue types and whole scripts.
 *
 * @param {string} url
 * @param {string} [schema]
 * @param {() => Promise<unknown>} [onDispose]
 * @returns {Promise<SqlDriverAdapter>}
 */
async function openAdapter(url, schema, onDispose) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const adapter = await new PrismaPg(pool, { schema }).connect();
  const internals = /** @type {Internals} */ (/** @type {unknown} */ (adapter));
  readCatalogueTypes(adapter, internals);
  // The adapter's own version splits at every semicolon, which breaks function bodies.
  adapter.executeScript = async (script) => {
    await pool.query(script).catch((error) => internals.onError(error));
  };
  adapter.dispose = async () => {
    await pool.end();
    await onDispose?.();
  };
  return adapter;
}

/**
 * The adapter refuses `name[]`, and reads `"char"` as text where the engine wants a character.
 *
 * @param {SqlDriverAdapter} adapter
 * @param {Internals} internals The same adapter.
 */
function readCatalogueTypes(adapter, internals) {
  const performIO = internals.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  /** @type {boolean[]} */
  let characters = [];
  internals.performIO = async (query) => {
    const result = await performIO(query);
    characters = result.fields.map((field) => field.dataTypeID === OID.char);
    for (const field of result.fields) {
      if (field.dataTypeID === OID.char) field.dataTypeID = OID.text;
      if (field.dataTypeID === OID.nameArray) field.dataTypeID = OID.textArray;
    }
    return result;
  };
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const columnTypes = result.columnTypes.map((type, i) => (characters[i] ? ColumnTypeEnum.Character : type));
    return { ...result, columnTypes };
  };
}
