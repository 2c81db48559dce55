import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { onStop } from "../../bin/lifecycle.mjs";
import { signal } from "../../bin/processes.mjs";
import { until } from "./installation.mjs";
import { interruptInstall, interruptMigration } from "./side.mjs";

const STOPPED_MS = 5_000;
const HELD_MS = 5_000;
const NEXT_START_WITHIN_MS = 60_000;
const HELPERS = /^(checkpointer|background writer|walwriter|autovacuum launcher|io worker|logical replication)/;
const BACKEND = /_program\b/;

/**
 * Every kind of fault. A round has `share` of them. `run` injects one and resolves, when it is over, to its target.
 * `apart` is injected into an installation of its own. So is `beside`, and the other faults do not wait for it.
 */
const onPrograms = {
  kill: { share: 3, run: (_, program) => program.signal("SIGKILL") },
  term: {
    share: 2,
    run: async (_, program) => {
      const ended = program.nextEnd();
      program.signal("SIGTERM");
      await Promise.race([ended, sleep(NEXT_START_WITHIN_MS, undefined, { ref: false })]);
    },
  },
  stop: {
    share: 1,
    run: async (_, program) => {
      const { pid } = program.child;
      program.signal("SIGSTOP");
      await sleep(STOPPED_MS);
      signal(pid, "SIGCONT");
    },
  },
  "start-kill": { share: 2, run: killStart },
};

const onDatabase = {
  "postmaster-kill": { share: 2, run: killPostmaster },
  "backend-kill": { share: 3, run: (context) => killOne(context, BACKEND) },
  "backend-terminate": { share: 3, run: terminateBackends },
  "helper-kill": { share: 3, run: (context) => killOne(context, HELPERS) },
  "everything-kill": { share: 2, run: killEverything },
  "recovery-kill": { share: 2, run: killInRecovery },
  "postgres-stop": { share: 1, run: stopPostgres },
  connections: { share: 2, run: exhaustConnections },
  "disk-full": { share: 1, run: fillDisk },
  migration: { share: 2, apart: true, run: interruptMigration },
  install: { share: 0, apart: true, beside: true, run: interruptInstall },
};

/** The kinds of faults of an installation, by name. */
export function kindsOf(installation, disk) {
  const roles = [...new Set(installation.programs.map(({ role }) => role))];
  const ofRole = (role, { share, run }) => ({
    share,
    run: async (context) => {
      const program = context.random.pick(installation.ofRole(role));
      await run(context, program);
      return program.name;
    },
  });
  const programKinds = roles.flatMap((role) =>
    Object.entries(onPrograms).map(([name, kind]) => [`${role}-${name}`, ofRole(role, kind)]),
  );
  const { "disk-full": diskFull, ...others } = onDatabase;
  return Object.fromEntries([...programKinds, ...Object.entries(disk ? onDatabase : others)]);
}

/** `count` kinds in an order that the seed decides: rounds of every kind by its share, after the installs. */
export function planFaults(kinds, { count, only, installs, random }) {
  const chosen = Object.keys(kinds).filter((name) => only.length === 0 || only.includes(name));
  const share = (name) => Math.max(kinds[name].share, only.length > 0 ? 1 : 0);
  const plan = [];
  while (plan.length < count) {
    plan.push(...random.shuffled(chosen.flatMap((name) => Array(share(name)).fill(name))));
  }
  // Installs run one after the other and come first, because each needs minutes.
  return [...Array(installs).fill("install"), ...plan.slice(0, count)];
}

/** Kills a program and then, while it starts again, once more. */
async function killStart({ random, installation: { postgres } }, program) {
  const next = program.nextStart();
  if (random.next() < 0.5) postgres.signalAll("SIGKILL");
  program.signal("SIGKILL");
  await next;
  await sleep(random.between(50, 2_000));
  program.signal("SIGKILL");
}

function killPostmaster({ installation: { postgres } }) {
  const pid = postgres.postmaster();
  if (!pid) throw new Error("no postmaster");
  signal(pid, "SIGKILL");
  return `postmaster ${pid}`;
}

function killOne({ random, installation: { postgres } }, kind) {
  const found = postgres.children().filter(({ title }) => kind.test(title));
  if (found.length === 0) throw new Error("no such process");
  const { pid, title } = random.pick(found);
  signal(pid, "SIGKILL");
  return title;
}

async function terminateBackends({ random, installation: { postgres } }) {
  const share = random.pick([0.1, 0.5, 1]);
  const owner = await postgres.connect();
  const { rows } = await owner.query(
    `with program as (
       select pid, row_number() over (order by random()) as nth, count(*) over () as count from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() and usename <> current_user
     )
     select pg_terminate_backend(pid) from program where nth <= ceil(count * $1::float8)`,
    [share],
  );
  await owner.end();
  return `${rows.length} connections`;
}

function killEverything({ installation: { postgres, programs } }) {
  for (const program of programs) program.signal("SIGKILL");
  return `${postgres.signalAll("SIGKILL").length + programs.length} processes`;
}

/** Kills everything, and one process of PostgreSQL again while PostgreSQL recovers or its program starts. */
async function killInRecovery(context) {
  const { random, installation } = context;
  const before = installation.postgres.postmaster();
  killEverything(context);
  const isNew = () => ![undefined, before].includes(installation.postgres.postmaster());
  await until(isNew, NEXT_START_WITHIN_MS, false);
  await sleep(random.between(0, 2_000));
  return killOne(context, /./);
}

async function stopPostgres({ installation: { postgres } }) {
  const pids = postgres.signalAll("SIGSTOP");
  await sleep(STOPPED_MS);
  for (const pid of pids) signal(pid, "SIGCONT");
  return `${pids.length} processes`;
}

/** Opens every free connection, ends those of the programs, opens these too, and holds all for a while. */
async function exhaustConnections({ installation: { postgres } }) {
  const held = [];
  const release = onStop(() => Promise.all(held.map((client) => client.end().catch(() => {}))));
  const over = performance.now() + HELD_MS;
  let areProgramsCut = false;
  while (performance.now() < over) {
    const client = new pg.Client({ connectionString: postgres.ownerUrl(), connectionTimeoutMillis: 2_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      held.push(client);
    } catch {
      if (!areProgramsCut && held.length > 0) {
        areProgramsCut = true;
        await held[0].query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where backend_type = 'client backend' and usename <> current_user`,
        );
      }
      await sleep(20);
    }
  }
  await release();
  return `${held.length} connections held`;
}

/** Fills the disk. Half of the time PostgreSQL also needs a new file of its log, without which it cannot go on. */
async function fillDisk({ disk, random, installation: { postgres } }) {
  const free = onStop(() => disk.free());
  const owner = random.next() < 0.5 ? await postgres.connect() : undefined;
  const isFull = disk.fill();
  await owner?.query("select pg_switch_wal()").catch(() => {});
  await sleep(HELD_MS);
  await owner?.end().catch(() => {});
  await free();
  if (!isFull) throw new Error("the disk could not be filled");
  return `full${owner ? ", and the log switched" : ""}`;
}
