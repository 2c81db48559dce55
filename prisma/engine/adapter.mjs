import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { databaseName, withClient, withDatabase } from "./databases.mjs";

const OID = { char: 18, text: 25, nameArray: 1003, textArray: 1009 };

/** The connections a migration needs: to the database itself, and to a shadow that is dropped afterwards. */
export function adapterFactory({ url, shadowDatabaseUrl }) {
  const schema = () => new URL(url).searchParams.get("schema") ?? undefined;
  return {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: async () => (url ? openAdapter(withDatabase(url, databaseName(url)), schema()) : noDatabase),
    async connectToShadowDb() {
      if (!url) throw new Error("DATABASE_URL is not set, and this needs a shadow database");
      if (shadowDatabaseUrl) return openAdapter(shadowDatabaseUrl, schema());
      const shadow = `prisma_migrate_shadow_db_${randomUUID()}`;
      const admin = withDatabase(url, "postgres");
      await withClient(admin, (client) => client.query(`create database "${shadow}"`));
      const drop = () =>
        withClient(admin, (client) => client.query(`drop database if exists "${shadow}" with (force)`));
      return openAdapter(withDatabase(url, shadow), schema(), drop);
    },
  };
}

/** The engine looks at a database even when it compares two files: without one it sees an empty one. */
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

async function refuse() {
  throw new Error("DATABASE_URL is not set");
}

/** Prisma's adapter, made fit for what the schema engine asks: catalogue types and whole scripts. */
async function openAdapter(url, schema, onDispose) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const adapter = await new PrismaPg(pool, { schema }).connect();
  readCatalogueTypes(adapter);
  // The adapter's own version splits at every semicolon, which breaks function bodies.
  adapter.executeScript = async (script) => {
    await pool.query(script).catch((error) => adapter.onError(error));
  };
  adapter.dispose = async () => {
    await pool.end();
    await onDispose?.();
  };
  return adapter;
}

/** The adapter refuses `name[]`, and takes `"char"` for text where the engine wants a character. */
function readCatalogueTypes(adapter) {
  const performIO = adapter.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  let characters = [];
  adapter.performIO = async (query) => {
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
