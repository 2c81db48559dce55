import pg from "pg";
import { newPause } from "@/lib/concurrency/pause";
import { dropConnections } from "@/lib/database/connections";
import { directAddress } from "@/lib/db";
import { CHANNEL, topics, wakeHere } from "@/lib/due/wake";

/** How often the connection is tried, because one that died silently reports no error. */
const TRY_EVERY_MS = 3_000;
/** A connection that does not answer within this time is given up, and with it those of the pools. */
const ANSWER_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 1_000;
/** The driver's word for it, which has no code. */
const NO_ANSWER = "Query read timeout";

/**
 * Wakes the loops of this process when another process notifies, until the returned function is called. The connection
 * is replaced when it is lost; then every loop is woken, because a notification may have been missed.
 */
export function startListening(failed: (error: unknown) => void, tryEveryMs = TRY_EVERY_MS): () => Promise<void> {
  let isStopped = false;
  const pause = newPause();

  async function listen() {
    const client = new pg.Client({
      connectionString: await directAddress(),
      application_name: "repasse wake",
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS, // the client's own time-out, because a dead connection may never answer
      keepAlive: true,
    });
    client.on("error", pause.end);
    client.on("notification", ({ payload }) => topics.filter((topic) => topic === payload).forEach(wakeHere));
    try {
      await client.connect();
      const session = await listenOn(client);
      topics.forEach(wakeHere);
      while (!isStopped) {
        await pause.for(tryEveryMs);
        if (!isStopped) await checkHears(client, session);
      }
    } finally {
      client.end().catch(() => {}); // a silent connection never confirms its end
    }
  }

  const running = (async () => {
    while (!isStopped) {
      await listen().catch(failed);
      if (!isStopped) await pause.for(AGAIN_AFTER_MS);
    }
  })();
  return () => {
    isStopped = true;
    pause.end();
    return running;
  };
}

/** Listens, and returns which of the server's sessions does. */
async function listenOn(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select pg_backend_pid() as session");
  await client.query(`listen ${CHANNEL}`);
  return rows[0].session;
}

/**
 * Throws unless the same session of the server still listens. A pooler of transactions drops it without a word. A server
 * that does not answer at all is silent to the pools too, whose transactions of background work may wait for long.
 */
async function checkHears(client: pg.Client, session: number): Promise<void> {
  const text = "select pg_backend_pid() as session, $1 in (select pg_listening_channels()) as listens";
  const { rows } = await client.query(text, [CHANNEL]).catch((error) => {
    if (error.message === NO_ANSWER) dropConnections();
    throw error;
  });
  if (rows[0].listens && rows[0].session === session) return;
  throw new Error("the session that listens was lost: behind a pooler of transactions, set DIRECT_URL");
}
