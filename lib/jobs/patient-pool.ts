import type pg from "pg";
import { isUnavailable } from "@/lib/db";
import { log } from "@/lib/log";

/** The pause doubles each time, so that a slow database does not get ever more connections. */
const AGAIN_AFTER_MS = 500;
const AGAIN_AFTER_MAX_MS = 4_000;
/** Every statement of the queue takes milliseconds, so after this time without an answer the connection is dead. */
const ANSWER_WITHIN_MS = 5_000;
/** How long a statement is repeated after the worker was stopped. */
const STOP_WITHIN_MS = 5_000;

/** While a worker stops, only the ends of its jobs matter, so any other statement gets an empty result. */
const ENDS = /^(complete|fail)_job/;
const NOTHING: pg.QueryResult = { rows: [], fields: [], rowCount: 0, command: "", oid: 0 };

/**
 * The pool that graphile-worker gets: it repeats a statement until the database answers.
 *
 * graphile-worker does not await the statements that end a job and repeats them after few errors only, so a job whose
 * connection broke at that moment stayed locked. Each of its statements is safe to run twice. If the answer to the
 * statement that claims a job is lost, the job stays locked without a handler, and `lib/jobs/in-hand.ts` frees it.
 */
export function patientPool(pool: pg.Pool) {
  const underWay = new Set<Promise<unknown>>();
  let stoppedAt: number | undefined;
  const isTooLate = () => stoppedAt !== undefined && performance.now() - stoppedAt > STOP_WITHIN_MS;

  async function repeatUntilAnswered(config: pg.QueryConfig): Promise<pg.QueryResult> {
    for (let times = 0; ; times += 1) {
      try {
        return await pool.query(config);
      } catch (error) {
        if (!pool.ended && !isUnavailable(error)) throw error;
        if (pool.ended || (stoppedAt !== undefined && !ENDS.test(config.name ?? ""))) return NOTHING;
        if (isTooLate()) throw error;
        if (times === 0) log.warn({ error, statement: config.name }, "a statement of the job queue is repeated");
        await new Promise((resolve) => setTimeout(resolve, Math.min(AGAIN_AFTER_MS * 2 ** times, AGAIN_AFTER_MAX_MS)));
      }
    }
  }

  function query(given: string | pg.QueryConfig, values?: unknown[]) {
    const config = typeof given === "string" ? { text: given, values } : given;
    if (config.text === "begin") throw new Error("A transaction needs one connection: run migrateQueue() first");
    const answer = repeatUntilAnswered({ ...config, query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig);
    const answered = answer.catch(() => {}).finally(() => underWay.delete(answered));
    underWay.add(answered);
    return answer;
  }

  /** With a callback graphile-worker wants a real connection to listen on; without one it only sends statements. */
  const connect = (callback?: Parameters<pg.Pool["connect"]>[0]) =>
    callback ? pool.connect(callback) : Promise.resolve({ query, release: () => {} });

  return {
    pool: Object.assign(Object.create(pool), { query, connect }) as pg.Pool,
    /** After this call no statement is repeated for longer than a few seconds. */
    hurry: () => {
      stoppedAt ??= performance.now();
    },
    /** Resolves when every statement was answered or given up. */
    allAnswered: () => Promise.all(underWay),
  };
}
