import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { pool } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { env } from "@/lib/env";
import { serveDatabaseProxy } from "@/lib/testing/database-proxy";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { type Program, startProgram } from "@/lib/testing/program";

/** Workers do all that is due in the database, and these tests break it, so they have a database of their own. */
let drop: () => Promise<void>;
let proxy: Awaited<ReturnType<typeof serveDatabaseProxy>>;
let seller: Made;
beforeAll(async () => {
  drop = await openOwnDatabase();
  proxy = await serveDatabaseProxy(env.DATABASE_PROGRAM_URL, { resets: true });
  seller = await makeAccount();
  await asOwner(`create table runs (run int); grant select, insert on runs to public`);
});
beforeEach(async () => {
  await requestDeposit(seller.account, cashIn(), call()); // the event that `add` copies
});
afterEach(async () => {
  await asOwner(`alter database ${database()} connection limit -1`);
  await asOwner("delete from timed_jobs; delete from outbox; delete from runs");
});
afterAll(async () => {
  proxy.close();
  await drop();
});

/** The timetable's job asks nobody outside, and is known to have run by its row. */
const WORKER = `import { runPrepared } from "@/lib/db";
import { registry } from "@/lib/jobs/registry";
import { startTimetable } from "@/lib/jobs/timetable";
import { startWorker } from "@/lib/jobs/worker";
  if (process.env.LISTENS) process.on("unhandledRejection", () => {});
  const run = () => runPrepared("test_run", "insert into runs select coalesce(max(run), 0) + 1 from runs", []);
  const start = startTimetable([{ name: "test", everyMs: 86_400_000, from: "06:00", run }]);
  const attempts = registry.attempts.map((one) => (one.name === "timetable" ? { ...one, start } : one));
  const stop = startWorker({ ...registry, attempts });
  process.on("SIGTERM", () => stop().then(() => console.log("stopped")).then(() => process.exit(0)));
  console.log("ready");`;

/** A worker that reaches the database through the proxy; this process reaches it directly. */
async function startWorker(settings = {}): Promise<Program> {
  const worker = await startProgram(WORKER, { DATABASE_PROGRAM_URL: proxy.url, ...settings });
  await worker.says("ready");
  return worker;
}

const database = () => new URL(proxy.url).pathname.slice(1);
const asOwner = (text: string) =>
  connected(ownerUrl(), async (client) => {
    await client.query("select set_config('app.accounts', '*', false)");
    return client.query(text);
  });
/** Ends the worker's connections, and none of this process. */
const killBackends = () =>
  asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity where client_port = any('{${proxy.ports().join()}}'::int[])`,
  );

/** Events that nobody has acted on, and a job of the timetable that is due. */
async function add(events: number) {
  await asOwner(
    `with made as (
       insert into events (account_id, id, type, subject, subject_id, data, record, occurred_at)
       select account_id, new_id(), type, subject, subject_id, data, record, occurred_at
       from (select * from events where subject = 'transaction' limit 1) e, generate_series(1, ${events}) returning account_id, id
     )
     insert into outbox (account_id, event_id) select account_id, id from made`,
  );
  await asOwner(`insert into timed_jobs (name, due_at) values ('test', now())
    on conflict (name) do update set due_at = now(), claimed_by = null, attempts = 0`);
}

/** How many events wait, and how many jobs did not end. */
async function waiting() {
  const { rows } = await asOwner(`
    select (select count(*)::int from outbox) as events,
      (select count(*)::int from timed_jobs where attempts > 0 or due_at <= now()) as jobs`);
  return rows[0] as { events: number; jobs: number };
}

/** Expects that all is done, by a process that lives on. */
async function expectAllDone(worker: Program) {
  await vi.waitFor(async () => expect(await waiting()).toEqual({ events: 0, jobs: 0 }), {
    timeout: 60_000,
    interval: 100,
  });
  expect([worker.child.exitCode, worker.child.signalCode], "the worker is alive").toEqual([null, null]);
}

test.each([
  ["of its own", {}, ["outbox_claim", "commit", "timetable_claim", "timetable_done", "test_run"]],
  ["that ignores unhandled rejections, as Next does", { LISTENS: "1" }, ["timetable_done"]],
])(
  "in a process %s all is done, whichever statement or answer is lost",
  { timeout: 180_000 },
  async (_, settings, texts) => {
    const worker = await startWorker(settings);
    for (const text of texts) {
      for (const lose of [proxy.loseStatement, proxy.loseAnswer]) {
        lose(text);
        await add(20);
        await vi.waitFor(() => expect(proxy.faultsLeft()).toBe(0), 60_000);
      }
    }
    await expectAllDone(worker);
  },
);

test("all is done although the worker's connections are killed again and again", { timeout: 120_000 }, async () => {
  const worker = await startWorker();
  for (let kill = 0; kill < 8; kill += 1) {
    await add(100);
    await killBackends();
  }
  await expectAllDone(worker);
});

test("all is done after the database refused connections for a while", { timeout: 120_000 }, async () => {
  const worker = await startWorker();
  for (let time = 0; time < 2; time += 1) {
    await asOwner(`alter database ${database()} connection limit 0`);
    await killBackends();
    await add(200);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await asOwner(`alter database ${database()} connection limit -1`);
    await expectAllDone(worker);
  }
});

test("a worker survives a database that is unreachable, and goes on by itself", { timeout: 120_000 }, async () => {
  const worker = await startWorker();
  proxy.goAway();
  await add(200);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await proxy.comeBack();
  await expectAllDone(worker);
});

test("a worker stops even while the database is unreachable", { timeout: 120_000 }, async () => {
  const worker = await startWorker();
  await add(2);
  await expectAllDone(worker);
  await add(200);
  proxy.goAway();
  worker.child.kill("SIGTERM");
  await worker.says("stopped");
  await proxy.comeBack();
  await pool().query("select 1");
});
