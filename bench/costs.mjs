import { setTimeout as sleep } from "node:timers/promises";

/** A connection that has become idle reports what it counted at most so much later. */
const REPORTED_AFTER_MS = 11_000;
const IDLE_SECONDS = 20;

const COUNTED = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal, xact_commit::float8 as commits,
    tup_inserted::float8 as inserted, tup_updated::float8 as updated, tup_deleted::float8 as deleted
  from pg_stat_database where datname = current_database()`;

/** What database and program did while `run` ran. Bytes of the log and CPU are exact, rows and commits lag behind. */
export async function costOf(owner, program, run) {
  await program.ask();
  const before = await counted(owner);
  const startedAt = performance.now();
  const result = await run();
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await counted(owner);
  const { statements, ...figures } = await program.ask();
  const trips = Object.values(statements).reduce((sum, count) => sum + count, 0);
  const spent = Object.fromEntries(Object.keys(before).map((name) => [name, after[name] - before[name]]));
  return { result, costs: { ...figures, ...spent, statements, trips, seconds } };
}

/** Resolves when the database knows the rows and commits of all that ended before. */
export const reported = () => sleep(REPORTED_AFTER_MS);

/** What a server does that nobody calls: commits and bytes of the log a second, and the share of a core in percent. */
export async function idle(owner, program) {
  // Cleaning up after the load is PostgreSQL's work, and after a checkpoint it logs each page once as a whole.
  await owner.query("vacuum analyze");
  await owner.query("checkpoint");
  await reported();
  const { costs } = await costOf(owner, program, () => sleep(IDLE_SECONDS * 1000));
  return {
    commits: costs.commits / costs.seconds,
    wal: costs.wal / costs.seconds,
    cpuPercent: costs.cpuMs / (10 * costs.seconds),
    resident: costs.resident,
    statements: costs.statements,
  };
}

async function counted(owner) {
  const { rows } = await owner.query(COUNTED);
  return rows[0];
}
