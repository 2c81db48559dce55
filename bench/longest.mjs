import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 50;
const SHOWN = 100;

const AT_WORK = `select query, state = 'active' as active,
    extract(epoch from clock_timestamp() - query_start)::float8 * 1000 as statement,
    extract(epoch from clock_timestamp() - xact_start)::float8 * 1000 as transaction
  from pg_stat_activity where application_name = 'repasse' and state <> 'idle' and xact_start is not null`;

/**
 * Looks at what the program's connections do, 20 times a second, until `stop()`, which returns the longest statement and
 * transaction seen, in ms, and how many connections were at work at most. What is shorter than a look may be missed.
 */
export function watchStatements(owner) {
  let isOver = false;
  const seen = { longest: { ms: 0, text: "" }, transaction: 0, connections: 0 };
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await owner.query(AT_WORK);
      seen.connections = Math.max(seen.connections, rows.length);
      for (const { query, active, statement, transaction } of rows) {
        seen.transaction = Math.max(seen.transaction, transaction);
        if (active && statement > seen.longest.ms) seen.longest = { ms: statement, text: textOf(query) };
      }
      await sleep(LOOK_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return seen;
    },
  };
}

const textOf = (query) => query.replace(/\s+/g, " ").trim().slice(0, SHOWN);
