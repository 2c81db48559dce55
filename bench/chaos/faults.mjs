import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { onStop } from "../../bin/lifecycle.mjs";
import { signal } from "../../bin/processes.mjs";
import { connected, killAdvance, killBilling } from "./billing.mjs";
import { hangMail } from "./mails.mjs";
import { saleOf } from "./partner.mjs";
import { until } from "./processes.mjs";
import { interruptInstall, interruptMigration } from "./side.mjs";

const STOPPED_MS = 5_000;
const HELD_MS = 5_000;
const SHIFTED_MS = 12_000;
const WEBHOOK_HELD_MS = 40_000;
/** How soon the webhook of another account's sale comes while a row is held. */
const OTHERS_WITHIN_MS = 10_000;
/** Longer than anybody waits for an answer. */
const SILENT_MS = 20_000;
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
  clock: { share: 1, run: shiftClock },
};

const onDatabase = {
  "postmaster-kill": { share: 2, run: killPostmaster },
  "backend-kill": { share: 3, run: (context) => killOne(context, BACKEND) },
  "backend-terminate": { share: 3, run: terminateBackends },
  "helper-kill": { share: 3, run: (context) => killOne(context, HELPERS) },
  "everything-kill": { share: 2, run: killEverything },
  "recovery-kill": { share: 2, run: killInRecovery },
  "postgres-stop": { share: 1, run: (context) => stopPostgres(context, STOPPED_MS) },
  "postgres-silent": { share: 1, run: (context) => stopPostgres(context, SILENT_MS) },
  connections: { share: 2, run: exhaustConnections },
  "disk-full": { share: 1, run: fillDisk },
  "billing-kill": { share: 1, run: killBilling },
  "advance-kill": { share: 1, run: killAdvance },
  "webhook-held": { share: 1, run: holdWebhook },
  "smtp-hangs": { share: 1, run: hangMail },
  migration: { share: 2, apart: true, run: interruptMigration },
  install: { share: 0, apart: true, beside: true, run: interruptInstall },
};

/** Of a primary with a standby: the primary is lost, or falls silent, and its standby takes its place. */
const onPair = {
  "failover-kill": { share: 3, run: ({ installation }) => installation.failOver("SIGKILL") },
  "failover-silent": { share: 3, run: ({ installation }) => installation.failOver("SIGSTOP") },
  "postmaster-kill": onDatabase["postmaster-kill"],
  "backend-terminate": onDatabase["backend-terminate"],
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
  const databaseKinds = installation.failOver ? onPair : disk ? onDatabase : others;
  return Object.fromEntries([...programKinds, ...Object.entries(databaseKinds)]);
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

/** Sets a program's clock two hours off, half of the time with a start in between, and right again. */
async function shiftClock({ random }, program) {
  const ms = random.pick([-2, 2]) * 3_600_000;
  program.setClock(ms);
  if (random.next() < 0.5) {
    const next = program.nextStart();
    program.signal("SIGKILL");
    await next;
  }
  await sleep(SHIFTED_MS);
  program.setClock(0);
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

async function stopPostgres({ installation: { postgres } }, forMs) {
  const pids = postgres.signalAll("SIGSTOP");
  await sleep(forMs);
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

/** Holds the row of a disabled webhook of the seller, whose events wait for it; nobody else's may. */
async function holdWebhook({ installation, probe }) {
  const owner = await connected(installation);
  try {
    const { rows } = await owner.query(
      `insert into webhooks select (jsonb_populate_record(w, jsonb_build_object('id', w.id + 1000000,
         'event', 'transaction', 'disabled_at', now()))).*
       from webhooks w where w.event = 'cashin' and w.deleted_at is null limit 1 returning account_id, id`,
    );
    const key = [rows[0].account_id, rows[0].id];
    await owner.query("begin");
    await owner.query("select from webhooks where account_id = $1 and id = $2 for update", key);
    const heldAt = performance.now();
    await sleep(HELD_MS); // events of the held account come first
    const sale = probe.begin();
    await until(() => probe.ask(sale), OTHERS_WITHIN_MS);
    await until(() => probe.receivedAt(saleOf(sale)), OTHERS_WITHIN_MS);
    const waited = ((performance.now() - heldAt - HELD_MS) / 1000).toFixed(1);
    await sleep(heldAt + WEBHOOK_HELD_MS - performance.now());
    await owner.query("update webhooks set deleted_at = now() where account_id = $1 and id = $2", key);
    await owner.query("commit");
    await sleep(HELD_MS); // who read it before has written its deliveries by then
    await owner.query("delete from deliveries where account_id = $1 and webhook_id = $2", key);
    await owner.query("delete from webhooks where account_id = $1 and id = $2", key);
    return `another account's webhook meanwhile after ${waited} s`;
  } finally {
    await owner.end();
  }
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
