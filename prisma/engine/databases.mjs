import pg from "pg";

const PRISMA_CODES = {
  "3D000": "P1003",
  "28P01": "P1000",
  28000: "P1010",
  "42P04": "P1009",
  ECONNREFUSED: "P1001",
  ENOTFOUND: "P1001",
};

const ALREADY_EXISTS = ["42P04", "23505"];

/** Runs `work` with one connection to `url`, and closes it. */
export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same server, another database, and none of Prisma's own URL parameters. */
export function withDatabase(url, name) {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  other.searchParams.delete("schema");
  return other.href;
}

export function databaseName(url) {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/** Creates the database that `url` names, unless it is there. */
export async function createDatabase(url) {
  const name = databaseName(url);
  await withClient(withDatabase(url, "postgres"), async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount) return;
    await client.query(`create database ${client.escapeIdentifier(name)}`).catch((error) => {
      if (!ALREADY_EXISTS.includes(error.code)) throw error;
    });
  });
  return { databaseName: name };
}

/** Throws what PostgreSQL says when the database that `url` names cannot be entered. */
export function checkConnection(url) {
  return withClient(withDatabase(url, databaseName(url)), () => ({}));
}

/** The error code that Prisma's CLI knows, or undefined. */
export function prismaCode(error) {
  return /^P\d{4}$/.test(error?.code) ? error.code : PRISMA_CODES[error?.code];
}
