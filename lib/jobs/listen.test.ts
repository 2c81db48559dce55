import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { CHANNEL, wake } from "@/lib/due/wake";
import { env } from "@/lib/env";
import { startListening } from "@/lib/jobs/listen";
import { startLoop } from "@/lib/jobs/loop";
import { serveDatabaseProxy } from "@/lib/testing/database-proxy";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { startProgram } from "@/lib/testing/program";

/** A database of their own, because these tests count and break what is notified in it. */
let drop: () => Promise<void>;
let proxy: Awaited<ReturnType<typeof serveDatabaseProxy>>;
let direct: string;
beforeAll(async () => {
  drop = await openOwnDatabase();
  direct = env.DATABASE_PROGRAM_URL;
  proxy = await serveDatabaseProxy(direct);
});
afterAll(async () => {
  proxy.close();
  await drop();
});

const NEVER_MS = 3_600_000;

/** A worker's loop that only a wake starts, and its listening connection, which the proxy can break. */
async function startWaiting(tryEveryMs?: number) {
  const failures: unknown[] = [];
  let batches = 0;
  const run = async () => {
    batches += 1;
    return false;
  };
  Object.assign(env, { DATABASE_PROGRAM_URL: proxy.url });
  const stopListening = startListening((error) => failures.push(error), tryEveryMs);
  Object.assign(env, { DATABASE_PROGRAM_URL: direct });
  const stopLoop = startLoop({ name: "test", on: "watches", everyMs: NEVER_MS, run }, () => {});
  onTestFinished(async () => {
    await Promise.all([stopListening(), stopLoop()]);
  });
  const woken = (times: number) => vi.waitFor(() => expect(batches).toBeGreaterThan(times), 10_000);
  await vi.waitFor(async () => expect(await listening()).toBe(1));
  await woken(1); // by its start and by the connection's
  return { count: () => batches, woken, failures, stopListening };
}

const listening = () =>
  connected(ownerUrl(), async (client) => {
    const text = `select count(*)::int as count from pg_stat_activity
      where application_name = 'repasse wake' and datname = current_database() and state = 'idle'`;
    return (await client.query(text)).rows[0].count;
  });
const notify = (topic: string) =>
  connected(ownerUrl(), (client) => client.query("select pg_notify($1, $2)", [CHANNEL, topic]));

const WEB = `import { wake } from "@/lib/due/wake";
  process.stdin.on("data", () => wake("watches"));
  console.log("ready");`;

test("a wake in a process without loops wakes the loop of another process", { timeout: 20_000 }, async () => {
  const { count, woken } = await startWaiting();
  const web = await startProgram(WEB, {}, "pipe");
  await web.says("ready");
  for (let time = 0; time < 3; time += 1) {
    const before = count();
    web.child.stdin?.write("wake\n");
    await woken(before);
  }
});

test("a process without loops notifies at most ten times a second", async () => {
  await connected(direct, async (client) => {
    let heard = 0;
    client.on("notification", () => {
      heard += 1;
    });
    await client.query(`listen ${CHANNEL}`);
    const began = performance.now();
    while (performance.now() - began < 500) {
      wake("notices");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await vi.waitFor(() => expect(heard).toBeGreaterThan(0));
    expect(heard).toBeLessThanOrEqual(1 + (performance.now() - began) / 100);
  });
});

test("what is no topic wakes nothing", async () => {
  const { count, woken } = await startWaiting();
  const before = count();
  await notify("nothing");
  await notify("watches");
  await woken(before);
  expect(count()).toBe(before + 1);
});

test("a connection that was closed is replaced, and then the loops look whether they missed a wake", async () => {
  const { count, woken } = await startWaiting();
  const before = count();
  await connected(ownerUrl(), (client) =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'repasse wake' and datname = current_database()`),
  );
  await woken(before);
  await vi.waitFor(async () => expect(await listening()).toBe(1), 10_000);
  await notify("watches");
  await woken(before + 1);
});

test("a connection that died silently is noticed and replaced", { timeout: 20_000 }, async () => {
  const { count, woken } = await startWaiting(50);
  const before = count();
  proxy.goSilent();
  await woken(before);
  await notify("watches");
  await woken(before + 1);
});

test("it stops while the database is away, and while its connection is silent", { timeout: 20_000 }, async () => {
  const silent = await startWaiting();
  proxy.goSilent();
  await silent.stopListening();

  const away = await startWaiting();
  proxy.goAway();
  await vi.waitFor(() => expect(away.failures.length).toBeGreaterThan(0), 10_000);
  await away.stopListening();
  await proxy.comeBack();
});
