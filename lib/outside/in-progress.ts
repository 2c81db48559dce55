import pg from "pg";
import { directAddress, directUrl, runPrepared } from "@/lib/db";
import { log } from "@/lib/log";

/** The first half of the advisory locks that show that a call is under way; the second is the hash of our id. */
const UNDER_WAY = 7_002;
const ANSWER_WITHIN_MS = 2_000;

type Ask = (text: string, id: string) => Promise<unknown>;

/** The connection that holds the locks, and the URL of its database. */
let connection: { url: string; ask: Promise<Ask> } | undefined;

/**
 * Runs a call while a lock shows every process that it is under way. The lock belongs to a connection of this process,
 * so it ends with the process, however that dies. If the lock cannot be had, the call runs without it; a repeat may
 * then be answered from the record before the call ends, and that answer stays.
 */
export async function whileInProgress<T>(id: string, run: () => Promise<T>): Promise<T> {
  const ask = await lock(id).catch((error) => {
    log.warn({ callId: id, error }, "a call could not show that it is under way");
    return undefined;
  });
  try {
    return await run();
  } finally {
    ask?.("select pg_advisory_unlock($1, hashtext($2))", id).catch(() => {});
  }
}

/** Whether this call is under way, in this process or another. */
export async function isInProgress(id: string): Promise<boolean> {
  const text = "select pg_try_advisory_xact_lock($1, hashtext($2)) as free";
  const [row] = await runPrepared<{ free: boolean }>("call_under_way", text, [UNDER_WAY, id]);
  return !row?.free;
}

async function lock(id: string): Promise<Ask> {
  const url = directUrl();
  if (connection?.url !== url) connection = { url, ask: connect() };
  const { ask } = connection;
  try {
    await (await ask)("select pg_advisory_lock($1, hashtext($2))", id);
    return await ask;
  } catch (error) {
    if (connection?.ask === ask) connection = undefined;
    throw error;
  }
}

/** Opens the connection, which runs one statement after the other. After a failure the next call opens a new one. */
async function connect(): Promise<Ask> {
  const client = new pg.Client({
    connectionString: await directAddress(),
    application_name: "repasse calls",
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
  });
  client.on("error", () => client.end().catch(() => {}));
  await client.connect();
  (client as pg.Client & { unref(): void }).unref(); // it keeps no process alive
  let asked: Promise<unknown> = Promise.resolve();
  return (text, id) => {
    const answer = asked.then(() => client.query(text, [UNDER_WAY, id]));
    asked = answer.catch(() => client.end().catch(() => {}));
    return answer;
  };
}
