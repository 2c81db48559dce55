import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { registry } from "@/lib/jobs/registry";
import { startWorker } from "@/lib/jobs/worker";
import { limits } from "@/lib/limits";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { register } from "@/lib/testing/webhooks";
import { happen, makeSale, receiver } from "@/lib/webhooks/testing";

/** A worker delivers everything in the database, so these tests have a database of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

async function sell({ accountId }: Made, count: number) {
  for (let sale = 0; sale < count; sale += 1) await happen(await makeSale(accountId), "completed");
}

test("six sandboxes with fifty slow webhooks each do not delay the delivery of a seventh account", {
  timeout: 120_000,
}, async () => {
  const [slow, quick] = [await receiver({ status: 200, afterMs: 2_800 }), await receiver({ status: 200 })];
  const greedy = await Promise.all(Array.from({ length: 6 }, () => makeAccount()));
  for (const made of greedy) {
    for (let count = 0; count < limits.webhooks; count += 1) await register(made, slow.url);
  }
  const seventh = await makeAccount();
  await register(seventh, quick.url);
  const stop = await startWorker(registry);
  onTestFinished(stop);

  for (const made of greedy) await sell(made, 12);
  await vi.waitFor(() => expect(slow.received.length).toBeGreaterThanOrEqual(100), { timeout: 60_000, interval: 20 });
  const waits: number[] = [];
  for (let sale = 1; sale <= 3; sale += 1) {
    const happened = performance.now();
    await sell(seventh, 1);
    await vi.waitFor(() => expect(quick.received).toHaveLength(sale), { timeout: 20_000, interval: 5 });
    waits.push(performance.now() - happened);
  }
  expect(Math.max(...waits)).toBeLessThan(2_000);
});
