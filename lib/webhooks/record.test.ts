import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { call, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { rowsRead } from "@/lib/testing/rows-read";
import { claimDeliveries, releaseClaims, renewClaims } from "@/lib/webhooks/claim";
import { createWebhook } from "@/lib/webhooks/create";
import { recordDelivered } from "@/lib/webhooks/record";
import { WebhookInput } from "@/lib/webhooks/schema";

let close: () => Promise<void>;
beforeAll(async () => {
  close = await openOwnDatabase();
});
afterAll(() => close());

/** So that plans are made from the statistics of many accounts that have one delivery each. */
const OTHERS = `insert into deliveries (account_id, id, event_id, contract, event, url, status)
  select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'event', 'transaction', 'http://localhost:9/', 'delivered'
  from generate_series(1, 500)`;

test("an attempt reads its own delivery alone, however many its account has and whenever its plan was made", async () => {
  await connected(ownerUrl(), (owner) => owner.query(`${OTHERS}; analyze deliveries`));
  const { account, accountId } = await makeAccount({ mode: "live" });
  const input = WebhookInput.parse({ title: "Loja", url: "https://loja.example/", event: "transaction" });
  const { id: webhookId } = await createWebhook(account, input, call());
  const make = () => ({
    ...{ accountId, id: newId(), eventId: newId(), webhookId, contract: "event" as const, event: "transaction" },
    ...{ url: input.url, nextAttemptAt: new Date() },
  });
  const worker = newId();
  const outcome = { status: 200, body: "", error: null, durationMs: 1, retryAfterMs: null };
  for (const count of [20, 1_000]) {
    const data = Array.from({ length: count }, make);
    await forAccount(accountId, (tx) => tx.delivery.createMany({ data }));
    const some = data.slice(0, 4);
    const attempts = some.map((sent) => ({ id: newId(), sent, url: input.url, outcome }));
    let [claimed, recorded]: number[] = [];
    const runs = [
      async () => (claimed = (await claimDeliveries(worker, some)).length),
      () => renewClaims(worker, some),
      () => releaseClaims(worker, some, 60_000),
      async () => (recorded = (await recordDelivered(attempts)).filter(Boolean).length),
    ];
    expect(Math.max(...(await rowsRead("deliveries", runs)))).toBeLessThan(30);
    expect([claimed, recorded]).toEqual([4, 4]);
  }
});
