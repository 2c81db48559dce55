import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { asSystem, forAccount, pool } from "@/lib/db";
import { env } from "@/lib/env";
import { limits } from "@/lib/limits";
import { type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { startProgram } from "@/lib/testing/program";
import { openReceiver, register } from "@/lib/testing/webhooks";
import { findDue } from "@/lib/webhooks/claim";
import type { Conditions } from "@/lib/webhooks/deliver";
import { startDeliveries, type Terms } from "@/lib/webhooks/run";
import { attemptsMade, deliveriesOf, dispatchEvent, happen, makeSale } from "@/lib/webhooks/testing";

/** A worker delivers everything in the database, so these tests have a database of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

async function sell({ accountId }: Made, count: number, callback?: string) {
  for (let sale = 0; sale < count; sale += 1) {
    const made = await makeSale(accountId, callback ? { callback: { url: callback } } : {});
    await dispatchEvent(await happen(made, "completed"));
  }
}

/** Runs deliveries until the test ends. */
function work(conditions: Terms = {}) {
  const faults: unknown[] = [];
  const stop = startDeliveries((error) => faults.push(error), conditions);
  let stopping: Promise<void> | undefined;
  const stopOnce = () => {
    stopping ??= stop();
    return stopping;
  };
  onTestFinished(async () => {
    await stopOnce();
    expect(faults).toEqual([]);
  });
  return stopOnce;
}

const WAIT = { timeout: 20_000, interval: 20 };
const FOREVER: Conditions = { timeoutMs: 60_000 };

test("an account whose fifty webhooks all hang slows no other account", {
  timeout: 60_000,
}, async () => {
  const [greedy, other] = [await makeAccount(), await makeAccount()];
  const [hanging, healthy] = [await openReceiver("hang"), await openReceiver({ status: 200 })];
  for (let count = 0; count < limits.webhooks; count += 1) await register(greedy, hanging.url);
  await register(other, healthy.url);
  await sell(greedy, 4, `${hanging.url}/callback`);
  await sell(other, 10);

  const stop = work(FOREVER);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(10), WAIT);
  await vi.waitFor(() => expect(hanging.received.length).toBeGreaterThanOrEqual(8), WAIT);
  await sell(other, 10);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(20), WAIT);
  expect(hanging.received.length, "half of the account's places").toBeLessThanOrEqual(16);
  await hanging.close();
  await stop();
});

test("an endpoint that hangs slows no healthy one of its account, however long its backlog", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const [hanging, healthy] = [await openReceiver("hang"), await openReceiver({ status: 200 })];
  for (const { url } of [hanging, healthy]) await register(seller, url);
  await sell(seller, 40);

  const stop = work(FOREVER);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(40), WAIT);
  expect(hanging.received).toHaveLength(1);
  await hanging.close();
  await stop();
});

test("callbacks to many hosts that hang delay no webhook and no callback to another host", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const healthy = await openReceiver({ status: 200 });
  await register(seller, healthy.url);
  const hosts = await Promise.all(Array.from({ length: 12 }, () => openReceiver("hang")));
  for (const { url } of hosts) await sell(seller, 2, url);
  await sell(seller, 6, `${healthy.url}/own`);

  const stop = work(FOREVER);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(24 + 6 + 6), WAIT);
  for (const { received } of hosts) expect(received.length).toBeLessThanOrEqual(1);
  await Promise.all(hosts.map(({ close }) => close()));
  await stop();
});

test("a delivery that failed is attempted again when it is due, and not before", { timeout: 40_000 }, async () => {
  const seller = await makeAccount();
  const flaky = await openReceiver({ status: 500 }, { status: 200 });
  await register(seller, flaky.url);
  const stop = work({ random: () => 0.5 });
  await sell(seller, 1);
  await vi.waitFor(() => expect(flaky.received).toHaveLength(2), WAIT);
  await stop();
  const [failed, delivered] = await attemptsMade(seller.accountId);
  expect(Number(delivered?.createdAt) - Number(failed?.createdAt)).toBeGreaterThanOrEqual(5_000);
  expect(await deliveriesOf(seller.accountId)).toMatchObject([{ status: "delivered", attempts: 2, claimedBy: null }]);
});

test("a worker that is stopped finishes its attempts, begins none, and leaves the rest to the next worker", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const slow = await openReceiver({ status: 200, afterMs: 1_000 });
  await register(seller, slow.url);
  await sell(seller, 3);
  const stop = work();
  await vi.waitFor(() => expect(slow.received).toHaveLength(1), WAIT);
  await stop();
  const statuses = (await deliveriesOf(seller.accountId)).map(({ status }) => status);
  expect(statuses).toEqual(["delivered", "pending", "pending"]);
  const stopNext = work();
  await vi.waitFor(() => expect(slow.received).toHaveLength(3), WAIT);
  await stopNext();
});

test("a stop ends the attempts that take too long, and the next worker sends them again at once", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const hanging = await openReceiver("hang", "hang", { status: 200 });
  await register(seller, hanging.url);
  await register(seller, hanging.url);
  await sell(seller, 1);
  const stop = work({ ...FOREVER, stopWithinMs: 100 });
  await vi.waitFor(() => expect(hanging.received).toHaveLength(2), WAIT);
  await stop();
  const planned = { status: "pending", attempts: 0, nextAttemptAt: expect.any(Date) };
  expect(await deliveriesOf(seller.accountId)).toMatchObject([planned, planned]);
  expect(await attemptsMade(seller.accountId), "it counts as not made").toEqual([]);
  const { due } = await findDue({ endpoints: [], accounts: [], areSandboxesFull: false });
  expect(due.filter(({ accountId }) => accountId === seller.accountId)).toHaveLength(2);
  const stopNext = work();
  await vi.waitFor(() => expect(hanging.received).toHaveLength(4), WAIT);
  await stopNext();
  expect(await deliveriesOf(seller.accountId)).toMatchObject(Array(2).fill({ status: "delivered", attempts: 1 }));
});

test("a search tells when the next delivery will be due, so that a worker can sleep until then", async () => {
  await asSystem((tx) => tx.$executeRaw`delete from deliveries`); // what the tests above left
  const seller = await makeAccount();
  await register(seller, "http://localhost:9/");
  await sell(seller, 2);
  const [first, second] = await deliveriesOf(seller.accountId);
  const NONE = { endpoints: [], accounts: [], areSandboxesFull: false };
  const plan = (id: string | undefined, seconds: number | null) =>
    forAccount(
      seller.accountId,
      (tx) => tx.$executeRaw`
        update deliveries set next_attempt_at = now() + ${seconds} * interval '1 second' where id = ${id}::uuid`,
    );
  await plan(first?.id, 600);
  await plan(second?.id, 60);
  const { due, nextMs } = await findDue(NONE);
  expect(due).toEqual([]);
  expect(nextMs).toBeGreaterThan(30_000);
  expect(nextMs).toBeLessThanOrEqual(60_000);
  for (const one of [first, second]) await plan(one?.id, null);
  expect(await findDue(NONE)).toEqual({ due: [], nextMs: null });
});

const WORKER = `import { startDeliveries, type Terms } from "@/lib/webhooks/run";
  startDeliveries((error) => console.log("failed", error));
  console.log("ready");`;

test("the attempts of a worker that was killed are repeated within 10 s under the same webhook-id", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const place = await openReceiver("hang", { status: 200 });
  await register(seller, place.url);
  const doomed = await startProgram(WORKER);
  await doomed.says("ready");
  await sell(seller, 1);
  await vi.waitFor(() => expect(place.received).toHaveLength(1), WAIT);
  const stop = work();
  await doomed.kill();
  const killedAt = performance.now();
  await vi.waitFor(() => expect(place.received).toHaveLength(2), WAIT);
  expect(performance.now() - killedAt).toBeLessThan(10_000);
  expect(place.received[1]?.headers["webhook-id"]).toBe(place.received[0]?.headers["webhook-id"]);
  const deliveries = () => deliveriesOf(seller.accountId);
  await vi.waitFor(async () => expect(await deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }]), WAIT);
  await stop();
});

test("lost connections end no worker and delay no delivery for longer than 10 s", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const place = await openReceiver({ status: 200, afterMs: 100 });
  await register(seller, place.url);
  await sell(seller, 30);
  const worker = await startProgram(WORKER);
  await worker.says("ready");
  for (let time = 1; time <= 4; time += 1) {
    await vi.waitFor(() => expect(place.received.length).toBeGreaterThanOrEqual(3 * time), WAIT);
    await connected(ownerUrl(), (client) =>
      client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
        [new URL(env.DATABASE_PROGRAM_URL).pathname.slice(1)],
      ),
    );
  }
  const statuses = async () => new Set((await deliveriesOf(seller.accountId)).map(({ status }) => status));
  await vi.waitFor(async () => expect(await statuses()).toEqual(new Set(["delivered"])), WAIT);
  expect(new Set(place.received.map(({ headers }) => headers["webhook-id"])).size).toBe(30);
  expect(worker.child.exitCode).toBeNull();
});

/** A process whose clock is five minutes ahead of its database's. */
const AHEAD = `const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...args) { super(...(args.length ? args : [Real.now() + 300_000])); }
    static now() { return Real.now() + 300_000; }
  };
  const { registry } = await import("@/lib/jobs/registry");
  const { startWorker } = await import("@/lib/jobs/worker");
  await startWorker(registry);
  console.log("ready");`;

test("a worker whose clock is five minutes ahead delivers at once, and plans and signs by the database's clock", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const place = await openReceiver({ status: 500 }, { status: 200 });
  await register(seller, place.url);
  await pool().query("delete from outbox"); // the tests above have dispatched these events themselves
  const ahead = await startProgram(AHEAD);
  await ahead.says("ready");
  await happen(await makeSale(seller.accountId), "completed");
  await vi.waitFor(() => expect(place.received).toHaveLength(2), WAIT);
  const signedAt = place.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
  for (const seconds of signedAt) expect(Math.abs(seconds - Date.now() / 1_000)).toBeLessThan(60);
  await vi.waitFor(async () => expect(await attemptsMade(seller.accountId)).toHaveLength(2), WAIT);
  const [failed, delivered] = (await attemptsMade(seller.accountId)).map(({ createdAt }) => Number(createdAt));
  expect(Math.abs((delivered ?? 0) - Date.now())).toBeLessThan(60_000);
  expect((delivered ?? 0) - (failed ?? 0)).toBeGreaterThanOrEqual(4_500);
});
