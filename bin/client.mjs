const CONNECT_WITHIN_MS = 10_000;

/** Runs `work` with one connection to the database at `url`, and closes it. Throws what the connection threw. */
export async function withClient(url, work) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  // A connection that breaks between two statements is told by the next one.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
