import { Logger, type Runner, run } from "graphile-worker";
import { afterAll, expect, test, vi } from "vitest";
import { pool } from "@/lib/db";
import { newId } from "@/lib/ids";
import type { Jobs } from "@/lib/jobs/enqueue";
import { makeAccount } from "@/lib/testing/make";
import { createWebhook } from "@/lib/webhooks/create";
import { deliverWebhook } from "@/lib/webhooks/deliver";
import { dispatchEvent } from "@/lib/webhooks/dispatch";
import { WebhookInput } from "@/lib/webhooks/schema";
import { attemptsMade, deliveriesOf, deliveryJobs, happen, makeSale, receiver } from "@/lib/webhooks/testing";

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const SALES = 6;

test("an endpoint that hangs keeps its own deliveries waiting and no other's", { timeout: 30_000 }, async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  const [hanging, healthy] = [await receiver("hang"), await receiver({ status: 200 })];
  closing.push(hanging.close, healthy.close);
  for (const { url } of [hanging, healthy]) {
    await createWebhook(account, WebhookInput.parse({ title: "Loja", url, event: "transaction" }));
  }
  const tell = async () => dispatchEvent(await happen(await makeSale(accountId), "completed"));
  for (let sale = 0; sale < SALES; sale += 1) await tell();

  const runner = await work(accountId);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(SALES), { timeout: 10_000 });
  const hung = hanging.received.length;
  expect(hung).toBeGreaterThan(0);
  expect(hung).toBeLessThanOrEqual(4);

  await hanging.close();
  await vi.waitFor(async () => expect(await attemptsMade(accountId)).toHaveLength(2 * SALES), { timeout: 10_000 });
  await runner.stop();
  const statuses = (await deliveriesOf(accountId)).map(({ url, status }) => `${url === healthy.url} ${status}`);
  expect(statuses.filter((status) => status === "true delivered")).toHaveLength(SALES);
  expect(statuses.filter((status) => status === "false failed")).toHaveLength(SALES);

  // It has failed: from now on one at a time.
  const before = new Set((await deliveryJobs(accountId)).map(({ key }) => key));
  for (let sale = 0; sale < SALES; sale += 1) await tell();
  const [failing] = (await deliveriesOf(accountId)).filter(({ url }) => url === hanging.url);
  const fresh = (await deliveryJobs(accountId)).filter(({ key }) => !before.has(key));
  const queues = fresh.map(({ queue_name }) => queue_name);
  expect(queues.filter((queue) => queue === `webhook:${failing?.webhookId}:0`)).toHaveLength(SALES);
});

/** A real worker over this test's jobs only: they are put again, in the same queues, under a name of its own. */
async function work(accountId: string): Promise<Runner> {
  const name = `test.${newId()}`;
  const add = "select graphile_worker.add_job($1, payload := $2::json, queue_name := $3)::text";
  for (const { key, queue_name } of await deliveryJobs(accountId)) {
    const deliveryId = key.split(":")[1];
    await pool().query(add, [name, JSON.stringify({ accountId, deliveryId }), queue_name]);
  }
  const deliver = (payload: unknown) => deliverWebhook(payload as Jobs["webhooks.deliver"], { timeoutMs: 60_000 });
  return run({
    pgPool: pool(),
    concurrency: 6,
    pollInterval: 50,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { [name]: deliver },
  });
}
