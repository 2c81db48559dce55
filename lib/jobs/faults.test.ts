import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { pool } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { keepInHand, watchLockedJobs } from "@/lib/jobs/in-hand";
import { serveDatabaseProxy } from "@/lib/testing/database-proxy";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { type Program, startProgram } from "@/lib/testing/program";
import { addJobs } from "@/lib/testing/queue";

/** Workers run every job in the database, and these tests break it, so they have a database of their own. */
let drop: () => Promise<void>;
let proxy: Awaited<ReturnType<typeof serveDatabaseProxy>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  proxy = await serveDatabaseProxy(env.DATABASE_PROGRAM_URL, { resets: true });
});
afterEach(async () => {
  await asOwner(`alter database ${database()} connection limit -1`);
  await asOwner("delete from graphile_worker._private_jobs");
});
afterAll(async () => {
  proxy.close();
  await drop();
});

const WORKER = `import { registry } from "@/lib/jobs/registry";
import { startWorker } from "@/lib/jobs/worker";
  if (process.env.LISTENS) process.on("unhandledRejection", () => {});
  const stop = await startWorker(registry);
  process.on("SIGTERM", () => stop().then(() => console.log("stopped")).then(() => process.exit(0)));
  console.log("ready");`;

/** A worker that reaches the database through the proxy; this process reaches it directly. */
async function startWorker(settings = {}): Promise<Program> {
  const worker = await startProgram(WORKER, { DATABASE_PROGRAM_URL: proxy.url, ...settings });
  await worker.says("ready");
  return worker;
}

const database = () => new URL(proxy.url).pathname.slice(1);
const asOwner = (text: string) => connected(ownerUrl(), (client) => client.query(text));
/** Ends the worker's connections, and none of this process. */
const killBackends = () =>
  asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity where client_port = any('{${proxy.ports().join()}}'::int[])`,
  );

/** Jobs that end well, and jobs that fail every time. */
async function add(good: number, bad = 0) {
  const many = (count: number) => Array.from({ length: count }, () => newId());
  await addJobs(
    "simulator.notify",
    many(good).map((endToEndId) => ({ payload: { endToEndId } })),
  );
  await addJobs(
    "webhooks.dispatch",
    many(bad).map((eventId) => ({ payload: { accountId: newId(), eventId } })),
  );
}

/** What is in the queue, and the age of the oldest lock in seconds. Makes failed jobs due at once. */
async function queue() {
  await asOwner("update graphile_worker._private_jobs set run_at = now() where locked_at is null and attempts > 0");
  const { rows } = await pool().query<{ good: number; untried: number; locked_for: number }>(`
    select count(*) filter (where task_identifier = 'simulator.notify')::int as good,
      count(*) filter (where attempts = 0)::int as untried,
      coalesce(max(extract(epoch from now() - locked_at)), 0)::float8 as locked_for
    from graphile_worker.jobs`);
  return rows[0] ?? { good: 0, untried: 0, locked_for: 0 };
}

/**
 * Expects that every good job is done, every bad one was tried, and none was locked for 10 s (each takes milliseconds).
 */
async function expectAllDone(worker: Program) {
  let longest = 0;
  const isDone = async () => {
    const { locked_for, ...left } = await queue();
    longest = Math.max(longest, locked_for);
    expect(left).toEqual({ good: 0, untried: 0 });
  };
  await vi.waitFor(isDone, { timeout: 30_000, interval: 100 });
  expect(longest).toBeLessThan(10);
  expect([worker.child.exitCode, worker.child.signalCode], "the worker is alive").toEqual([null, null]);
}

test.each([
  ["of its own", {}],
  ["that ignores unhandled rejections, as Next does", { LISTENS: "1" }],
])(
  "in a process %s a job is unlocked within 10 s, whichever statement about it or answer to it is lost",
  {
    timeout: 180_000,
  },
  async (_, settings) => {
    const worker = await startWorker(settings);
    for (const text of ["get_job/", "complete_job/", "fail_job/"]) {
      for (const lose of [proxy.loseStatement, proxy.loseAnswer]) {
        await add(20, 5);
        lose(text, 5);
        await vi.waitFor(() => expect(proxy.faultsLeft()).toBe(0), 10_000);
        await expectAllDone(worker);
      }
    }
  },
);

test("all jobs are done although the worker's connections are killed again and again", {
  timeout: 120_000,
}, async () => {
  const worker = await startWorker();
  for (let kill = 0; kill < 8; kill += 1) {
    await add(40, 4);
    await vi.waitFor(async () => expect((await queue()).good).toBeLessThan(30), { timeout: 10_000, interval: 5 });
    await killBackends();
  }
  await expectAllDone(worker);
});

test("all jobs are done after the database refused connections for a while", { timeout: 120_000 }, async () => {
  const worker = await startWorker();
  for (let time = 0; time < 2; time += 1) {
    await add(200, 10);
    await vi.waitFor(() => expect(proxy.ports().length).toBeGreaterThan(5), 10_000);
    await asOwner(`alter database ${database()} connection limit 0`);
    await killBackends();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await asOwner(`alter database ${database()} connection limit -1`);
  }
  await expectAllDone(worker);
});

test("a worker survives a database that is unreachable, and goes on within 10 s", { timeout: 120_000 }, async () => {
  const worker = await startWorker();
  await add(200, 10);
  proxy.goAway();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await proxy.comeBack();
  await expectAllDone(worker);
});

test("a worker stops even while the database is unreachable", { timeout: 60_000 }, async () => {
  const worker = await startWorker();
  await add(50);
  await vi.waitFor(async () => expect((await queue()).good).toBeLessThan(50), { timeout: 10_000, interval: 5 });
  proxy.goAway();
  worker.child.kill("SIGTERM");
  await worker.says("stopped");
  expect(worker.printed()).not.toContain("Trace");
  await proxy.comeBack();
});

test("two looks in a row free the jobs that this process locked and no handler works on, with their queues, and no others", async () => {
  const lock = `update graphile_worker._private_jobs set locked_by = $1, locked_at = clock_timestamp()`;
  const jobs = async () => {
    const text = "select id::text, locked_by from graphile_worker.jobs order by id";
    return (await pool().query<{ id: string; locked_by: string | null }>(text)).rows;
  };
  const look = watchLockedJobs(() => ["me"]);
  await addJobs(
    "simulator.notify",
    ["a", "b", "c"].map((name) => ({ payload: { endToEndId: name }, queue: `queue of ${name}` })),
  );
  const ids = (await jobs()).map(({ id }) => id);
  await pool().query(lock, ["me"]);
  await pool().query(lock.replace("jobs", "job_queues"), ["me"]);
  const relock = () => pool().query(`${lock} where id = $2`, ["me", ids[1]]);
  const other = () => pool().query(`${lock} where id = $2`, ["another", ids[2]]);

  await keepInHand(ids[0] ?? "", async () => {
    await other();
    expect([await look(), await relock().then(look), await relock().then(look)]).toEqual([0, 0, 0]);
    expect([await look(), await look()], "the second, which was not locked again").toEqual([1, 0]);
    expect((await jobs()).map((job) => job.locked_by)).toEqual(["me", null, "another"]);
  });
  expect([await look(), await look()], "the first, whose handler ended").toEqual([0, 1]);
  expect((await jobs()).map((job) => job.locked_by)).toEqual([null, null, "another"]);
  const { rows } = await pool().query("select locked_by from graphile_worker._private_job_queues order by queue_name");
  expect(rows).toEqual([{ locked_by: null }, { locked_by: null }, { locked_by: "me" }]);
});
