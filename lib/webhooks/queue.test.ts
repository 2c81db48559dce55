import { Logger, run } from "graphile-worker";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { pool } from "@/lib/db";
import type { Jobs } from "@/lib/jobs/enqueue";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { createWebhook, MOST_WEBHOOKS } from "@/lib/webhooks/create";
import { type Conditions, deliverWebhook } from "@/lib/webhooks/deliver";
import { dispatchEvent } from "@/lib/webhooks/dispatch";
import { WebhookInput } from "@/lib/webhooks/schema";
import { happen, makeSale, type Reply, receiver } from "@/lib/webhooks/testing";

/** A worker takes every job there is, so it gets a database without other tests' jobs. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

async function listen(...replies: [Reply, ...Reply[]]) {
  const place = await receiver(...replies);
  onTestFinished(place.close);
  return place;
}

const register = ({ account }: Made, url: string) =>
  createWebhook(account, WebhookInput.parse({ title: "Loja", url, event: "transaction" }));

async function sell({ accountId }: Made, count: number, callback?: string) {
  for (let sale = 0; sale < count; sale += 1) {
    const made = await makeSale(accountId, callback ? { callback: { url: callback } } : {});
    await dispatchEvent(await happen(made, "completed"));
  }
}

/** The delivery runner as `lib/jobs/worker.ts` runs it, until the test ends. */
async function work(conditions: Conditions) {
  const runner = await run({
    pgPool: pool(),
    concurrency: 24,
    pollInterval: 50,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { "webhooks.deliver": (job) => deliverWebhook(job as Jobs["webhooks.deliver"], conditions) },
  });
  let stopping: Promise<unknown> | undefined;
  const stop = () => {
    stopping ??= runner.stop().then(() => pool().query("delete from graphile_worker._private_jobs"));
    return stopping;
  };
  onTestFinished(async () => void (await stop()));
  return stop;
}

const FOREVER: Conditions = { timeoutMs: 60_000 };

test("an account with all the webhooks it may have, all hanging, holds 8 places and slows no other account", {
  timeout: 60_000,
}, async () => {
  const [greedy, other] = [await makeAccount(), await makeAccount()];
  const [hanging, healthy] = [await listen("hang"), await listen({ status: 200 })];
  for (let count = 0; count < MOST_WEBHOOKS; count += 1) await register(greedy, hanging.url);
  await register(other, healthy.url);
  await sell(greedy, 4, `${hanging.url}/callback`);
  await sell(other, 10);

  const stop = await work(FOREVER);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(10), { timeout: 15_000 });
  await vi.waitFor(() => expect(hanging.received.length).toBeGreaterThanOrEqual(6), { timeout: 5_000 });
  await sell(other, 10);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(20), { timeout: 15_000 });
  expect(hanging.received.length).toBeLessThanOrEqual(8);
  await hanging.close();
  await stop();
});

test("an endpoint that begins to hang costs a healthy one a single time-out, however much waits for it", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const [hanging, healthy] = [await listen("hang"), await listen({ status: 200 })];
  for (const { url } of [hanging, healthy]) await register(seller, url);
  await sell(seller, 60);

  const stop = await work({ timeoutMs: 1_000 });
  await vi.waitFor(() => expect(healthy.received).toHaveLength(60), { timeout: 50_000 });
  expect(hanging.received.length, "with every time-out waited for it were 60").toBeLessThan(40);
  await hanging.close();
  await stop();
});

test("an endpoint that failed once and answers does not wait for the backlog of one that hangs", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const hanging = await listen("hang");
  const blips = [await listen({ status: 500 }, { status: 200 }), await listen({ status: 500 }, { status: 200 })];
  await register(seller, hanging.url);
  await sell(seller, 40);
  for (const { url } of [...blips, ...blips]) await register(seller, url); // in both retry queues
  await sell(seller, 1);

  const stop = await work({ timeoutMs: 1_000, random: () => 0.5 });
  await vi.waitFor(() => expect(blips.map(({ received }) => received.length)).toEqual([3, 3]), { timeout: 50_000 });
  expect(hanging.received.length, "with the backlog waited for it were 40").toBeLessThan(30);
  await hanging.close();
  await stop();
});

test("callbacks to hosts that hang, a new one for each charge, hold two places and delay no webhook", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount();
  const healthy = await listen({ status: 200 });
  await register(seller, healthy.url);
  const hosts = [];
  for (let count = 0; count < 12; count += 1) hosts.push(await listen("hang"));
  for (const { url } of hosts) await sell(seller, 1, url);

  const stop = await work(FOREVER);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(12), { timeout: 15_000 });
  const held = hosts.flatMap(({ received }) => received).length;
  expect(held).toBeLessThanOrEqual(2);
  await Promise.all(hosts.map(({ close }) => close()));
  await stop();
});

test("callbacks to a host that answers all arrive", { timeout: 30_000 }, async () => {
  const seller = await makeAccount();
  const healthy = await listen({ status: 200 });
  await sell(seller, 30, healthy.url);
  const stop = await work(FOREVER);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(30), { timeout: 20_000 });
  await stop();
});
