import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A connection that has become idle reports what it counted at most so much later. */
const REPORTED_AFTER_MS = 11_000;
/** A look at the rail every minute reads the payments of the last five, and PostgreSQL cleans up after a load. */
const QUIET_AFTER_MS = 330_000;
/** Some work runs once a minute. */
const IDLE_SECONDS = 60;
/** How many statements of an idle server are listed. */
const SHOWN = 8;
/** What /proc counts CPU time in. */
const TICK_MS = 10;

const COUNTED = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal, xact_commit::float8 as commits,
    tup_inserted::float8 as inserted, tup_updated::float8 as updated, tup_deleted::float8 as deleted
  from pg_stat_database where datname = current_database()`;

/**
 * What the program and the database of an environment did while `run` ran. CPU and bytes of the log are exact, rows and
 * commits lag behind.
 */
export async function costOf({ owner, postmaster }, program, run) {
  await program.ask();
  const before = await counted(owner, postmaster);
  const startedAt = performance.now();
  const result = await run();
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await counted(owner, postmaster);
  const { statements, ...figures } = await program.ask();
  const trips = Object.values(statements).reduce((sum, count) => sum + count, 0);
  const spent = Object.fromEntries(Object.keys(before).map((name) => [name, after[name] - before[name]]));
  return { result, costs: { ...figures, ...spent, statements, trips, seconds } };
}

/** Resolves when the database knows the rows and commits of all that ended before. */
export const reported = () => sleep(REPORTED_AFTER_MS);

/** What a server does that nobody calls: commits and bytes of the log a second, and shares of a core in percent. */
export async function idle(environment, program) {
  const { owner } = environment;
  program.rest();
  await sleep(QUIET_AFTER_MS);
  // After a checkpoint PostgreSQL logs each page once as a whole.
  await owner.query("checkpoint");
  await reported();
  const { costs } = await costOf(environment, program, () => sleep(IDLE_SECONDS * 1000));
  program.watch();
  const often = Object.entries(costs.statements).sort(([, one], [, other]) => other - one);
  const names = often.slice(0, SHOWN).map(([name, count]) => `${name} ${(count / costs.seconds).toFixed(1)}/s`);
  const database = (costs.databaseMs / (10 * costs.seconds)).toFixed(1);
  console.log(`  idle: PostgreSQL ${database} % of a core; most often ${names.join(", ")}`);
  return {
    commits: costs.commits / costs.seconds,
    wal: costs.wal / costs.seconds,
    cpuPercent: costs.cpuMs / (10 * costs.seconds),
    resident: costs.resident,
  };
}

async function counted(owner, postmaster) {
  const { rows } = await owner.query(COUNTED);
  return { ...rows[0], databaseMs: cpuOfDatabase(postmaster) };
}

/** CPU time of PostgreSQL with all its processes, the ended ones too. Only Linux knows it. */
function cpuOfDatabase(postmaster) {
  if (process.platform !== "linux") return Number.NaN;
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  const [mine, ended] = [ticksOf(postmaster, 0, 2), ticksOf(postmaster, 2, 4)];
  return TICK_MS * children.reduce((sum, pid) => sum + ticksOf(pid, 0, 2), mine + ended);
}

/** The fields utime, stime, cutime and cstime of a process; 0 when it has just ended. */
function ticksOf(pid, from, to) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return fields
      .slice(11, 15)
      .slice(from, to)
      .reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}
