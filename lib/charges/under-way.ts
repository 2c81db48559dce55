import pg from "pg";
import { statement } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";

/** The first half of the advisory locks that say that a charge is under way; the second is the hash of the sale's id. */
const UNDER_WAY = 7_002;
const ANSWER_WITHIN_MS = 2_000;

type Ask = (text: string, saleId: string) => Promise<unknown>;

/** The connection whose locks these are, and the database that it leads to. */
let connection: { url: string; ask: Promise<Ask> } | undefined;

/**
 * Runs a charge while a lock says in every process that somebody is at it. The lock belongs to a connection of this
 * process and ends with it, however the process dies. Where it cannot be taken the charge runs without: a repeat is then
 * answered from the sale sooner than it need be, and that answer stands.
 */
export async function whileUnderWay<T>(saleId: string, run: () => Promise<T>): Promise<T> {
  const ask = await lock(saleId).catch((error) => {
    log.warn({ transactionId: saleId, error }, "a charge could not show that it is under way");
    return undefined;
  });
  try {
    return await run();
  } finally {
    ask?.("select pg_advisory_unlock($1, hashtext($2))", saleId).catch(() => {});
  }
}

/** Whether a process, this one or another, is at this charge. */
export async function isUnderWay(saleId: string): Promise<boolean> {
  const text = "select pg_try_advisory_xact_lock($1, hashtext($2)) as free";
  const [row] = await statement<{ free: boolean }>("charge_under_way", text, [UNDER_WAY, saleId]);
  return !row?.free;
}

async function lock(saleId: string): Promise<Ask> {
  const url = env.DATABASE_PROGRAM_URL;
  if (connection?.url !== url) connection = { url, ask: connect(url) };
  const { ask } = connection;
  try {
    await (await ask)("select pg_advisory_lock($1, hashtext($2))", saleId);
    return await ask;
  } catch (error) {
    if (connection?.ask === ask) connection = undefined;
    throw error;
  }
}

/** One connection, which is asked one thing after the other. Once it fails, the next charge connects anew. */
async function connect(url: string): Promise<Ask> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "repasse charges",
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
  });
  client.on("error", () => client.end().catch(() => {}));
  await client.connect();
  (client as pg.Client & { unref(): void }).unref(); // it keeps no process alive
  let asked: Promise<unknown> = Promise.resolve();
  return (text, saleId) => {
    const answer = asked.then(() => client.query(text, [UNDER_WAY, saleId]));
    asked = answer.catch(() => client.end().catch(() => {}));
    return answer;
  };
}
