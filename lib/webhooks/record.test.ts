import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { call, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { rowsRead } from "@/lib/testing/rows-read";
import { claimDeliveries, releaseClaims, renewClaims } from "@/lib/webhooks/claim";
import { createWebhook } from "@/lib/webhooks/create";
import { type Attempt, recordAttempt, recordDelivered, recordFailed } from "@/lib/webhooks/record";
import { healthy } from "@/lib/webhooks/schedule";
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
  const failure = { ...outcome, status: 500, error: "http_error" as const };
  for (const count of [20, 1_000]) {
    const data = Array.from({ length: count }, make);
    await forAccount(accountId, (tx) => tx.delivery.createMany({ data }));
    const some = data.slice(0, 4);
    const attempts = some.map((sent) => ({ id: newId(), sent, url: input.url, outcome }));
    const failures = data.slice(4, 8).map((sent) => ({ id: newId(), sent, url: input.url, outcome: failure }));
    let [claimed, recorded, failed]: number[] = [];
    const runs = [
      async () => (claimed = (await claimDeliveries(worker, some)).length),
      () => renewClaims(worker, some),
      () => releaseClaims(worker, some, 60_000),
      async () => (recorded = (await recordDelivered(attempts)).filter(Boolean).length),
      async () => (failed = (await recordFailed(failures)).filter(Boolean).length),
    ];
    expect(Math.max(...(await rowsRead("deliveries", runs)))).toBeLessThan(30);
    expect([claimed, recorded, failed]).toEqual([4, 4, 4]);
    const where = { accountId_id: { accountId, id: webhookId } };
    await forAccount(accountId, (tx) => tx.webhook.update({ where, data: healthy }));
  }
});

const HALF_A_DAY = 12 * 3_600_000;

test("failed attempts that are recorded together leave what they leave when each is recorded alone", async () => {
  const together = (attempts: Attempt[]) => recordFailed(attempts);
  const alone = async (attempts: Attempt[]) => {
    for (const attempt of attempts) await forAccount(attempt.sent.accountId, (tx) => recordAttempt(tx, attempt));
  };
  const left = [];
  for (const record of [together, alone]) {
    const { account, accountId } = await makeAccount({ mode: "live" });
    const input = WebhookInput.parse({ title: "Loja", url: "https://loja.example/", event: "transaction" });
    const { id: webhookId } = await createWebhook(account, input, call());
    const attempts = [];
    for (const [nth, retryAfterMs] of [null, 90_000, null].entries()) {
      const sent = {
        ...{ accountId, id: newId(), eventId: newId(), webhookId: nth === 2 ? null : webhookId, attempts: nth },
        ...{ contract: "event" as const, event: "transaction", url: input.url, nextAttemptAt: new Date() },
      };
      await forAccount(accountId, (tx) => tx.delivery.create({ data: sent }));
      const outcome = { status: 503, body: "x", error: "http_error" as const, durationMs: 7, retryAfterMs };
      attempts.push({ id: newId(), sent, url: input.url, outcome, random: () => 0.5 });
    }
    await record(attempts);
    const [rows, made, webhook] = await forAccount(accountId, (tx) =>
      Promise.all([
        tx.delivery.findMany({ where: { accountId }, orderBy: { id: "asc" } }),
        tx.deliveryAttempt.findMany({ where: { accountId }, orderBy: { deliveryId: "asc" } }),
        tx.webhook.findFirstOrThrow({ where: { accountId } }),
      ]),
    );
    left.push({
      deliveries: rows.map(({ status, attempts, nextAttemptAt }, at) => {
        const waitMs = (nextAttemptAt?.getTime() ?? 0) - (made[at]?.createdAt.getTime() ?? 0);
        return { status, attempts, waitMs };
      }),
      attempts: made.map(({ attempt, responseStatus, responseBody, error, durationMs }) => {
        return { attempt, responseStatus, responseBody, error, durationMs };
      }),
      failuresInRow: webhook.failuresInRow,
      isFailing: webhook.failingSince !== null,
    });
  }
  expect(left[0]).toEqual(left[1]);
  expect(left[0]?.deliveries).toEqual([
    { status: "failed", attempts: 1, waitMs: 5_000 },
    { status: "failed", attempts: 2, waitMs: 300_000 },
    { status: "failed", attempts: 3, waitMs: 1_800_000 },
  ]);
  expect(left[0]?.failuresInRow).toBe(2);
});

test("a failure that may be told of, ends its delivery, or is of what was decided about meanwhile is left to be recorded alone", async () => {
  const { account, accountId } = await makeAccount({ mode: "live" });
  const input = WebhookInput.parse({ title: "Loja", url: "https://loja.example/", event: "transaction" });
  const webhooks = [await createWebhook(account, input, call()), await createWebhook(account, input, call())];
  const [failing, fine] = webhooks.map(({ id }) => id) as [number, number];
  const failingSince = new Date(Date.now() - HALF_A_DAY);
  const where = { accountId_id: { accountId, id: failing } };
  await forAccount(accountId, (tx) => tx.webhook.update({ where, data: { failuresInRow: 5, failingSince } }));
  const planned = new Date();
  const cases = [
    { webhookId: failing, attempts: 0, nextAttemptAt: planned },
    { webhookId: fine, attempts: 9, nextAttemptAt: planned },
    { webhookId: fine, attempts: 0, nextAttemptAt: new Date(planned.getTime() + 60_000) },
    { webhookId: fine, attempts: 0, nextAttemptAt: planned },
  ];
  const data = cases.map((one) => ({
    ...{ accountId, id: newId(), eventId: newId(), contract: "event" as const, event: "transaction", url: input.url },
    ...one,
  }));
  await forAccount(accountId, (tx) => tx.delivery.createMany({ data }));
  const outcome = { status: null, body: null, error: "timeout" as const, durationMs: 7, retryAfterMs: null };
  const attempts = data.map((sent) => ({
    ...{ id: newId(), url: input.url, outcome },
    sent: { ...sent, nextAttemptAt: planned },
  }));
  expect(await recordFailed(attempts)).toEqual([false, false, false, true]);
});
