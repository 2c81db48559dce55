import pg from "pg";
import { env } from "@/lib/env";
import { newPause } from "@/lib/pause";
import { CHANNEL, topics, wakeHere } from "@/lib/wake";

/** How often the connection is tried, because one that died silently reports no error. */
const TRY_EVERY_MS = 10_000;
/** A connection that does not answer within this time is given up. */
const ANSWER_WITHIN_MS = 2_000;
const AGAIN_AFTER_MS = 1_000;

/**
 * Wakes the loops of this process when another process notifies, until the returned function is called. The connection
 * is replaced when it is lost; then every loop is woken, because a notification may have been missed.
 */
export function startListening(failed: (error: unknown) => void, tryEveryMs = TRY_EVERY_MS): () => Promise<void> {
  let isStopped = false;
  const pause = newPause();

  async function listen() {
    const client = new pg.Client({
      connectionString: env.DATABASE_PROGRAM_URL,
      application_name: "repasse wake",
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS, // the client's own time-out, because a dead connection may never answer
      keepAlive: true,
    });
    client.on("error", pause.end);
    client.on("notification", ({ payload }) => topics.filter((topic) => topic === payload).forEach(wakeHere));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      topics.forEach(wakeHere);
      while (!isStopped) {
        await pause.for(tryEveryMs);
        if (!isStopped) await client.query("select 1");
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
