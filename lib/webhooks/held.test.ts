import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { forAccount } from "@/lib/db";
import { eventsConsumer } from "@/lib/events/consume";
import { call, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { createWebhook } from "@/lib/webhooks/create";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import { probeWebhooks } from "@/lib/webhooks/probe";
import { disableWebhook, planBacklogs } from "@/lib/webhooks/reenable";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, happen, makeSale, webhookOf } from "@/lib/webhooks/testing";
import { updateWebhook } from "@/lib/webhooks/update";

/** The loops work on all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const input = WebhookInput.parse({ title: "Loja", url: "http://localhost:9/", event: "transaction" });

async function disable(accountId: string, id: number, nextProbeAt: Date | null = null) {
  await forAccount(accountId, async (tx) => {
    const webhook = await tx.webhook.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
    await disableWebhook(tx, webhook, new Date(), nextProbeAt);
  });
}

/** Holds a webhook's row while `run` runs. */
const held = <T>(id: number, run: () => Promise<T>) =>
  connected(ownerUrl(), async (other) => {
    await other.query("select set_config('app.accounts', '*', false)");
    await other.query("begin");
    await other.query("select from webhooks where id = $1 for update", [id]);
    return run();
  });

test("a webhook whose row is held keeps no delivery of another from being made, of its account or of others", async () => {
  const [made, other] = [await makeAccount({ mode: "sandbox" }), await makeAccount({ mode: "sandbox" })];
  const [first, second] = [
    await createWebhook(made.account, input, call()),
    await createWebhook(made.account, input, call()),
  ];
  const third = await createWebhook(other.account, input, call());
  await disable(made.accountId, first.id);
  const { consume, catchUp } = eventsConsumer({ deliveries: dispatchEvents });
  const run = async () => {
    while (await consume());
    while (await catchUp());
  };
  const sales = [await makeSale(made.accountId), await makeSale(other.accountId)] as const;
  const webhooksOf = async (accountId: string) => (await deliveriesOf(accountId)).map(({ webhookId }) => webhookId);
  await held(first.id, async () => {
    for (const sale of sales) await happen(sale, "pending");
    await run();
    expect(await webhooksOf(made.accountId)).toEqual([second.id]);
    expect(await webhooksOf(other.accountId)).toEqual([third.id]);
    for (const sale of sales) await happen(sale, "completed");
    await run();
    expect(await webhooksOf(made.accountId), "also what comes later").toEqual([second.id, second.id]);
    expect(await webhooksOf(other.accountId)).toEqual([third.id, third.id]);
  });
  await vi.waitFor(
    async () => {
      await run();
      expect((await webhooksOf(made.accountId)).toSorted()).toEqual([first.id, first.id, second.id, second.id]);
    },
    { timeout: 5_000, interval: 200 },
  );
});

test("a webhook whose row is held keeps no other from being enabled or tried", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  const [first, second] = [await createWebhook(account, input, call()), await createWebhook(account, input, call())];
  const sale = await makeSale(accountId);
  const { consume } = eventsConsumer({ deliveries: dispatchEvents });
  for (const { id } of [first, second]) await disable(accountId, id, new Date(0));
  await happen(sale, "pending");
  while (await consume());
  const planned = async () =>
    (await deliveriesOf(accountId)).flatMap(({ webhookId, nextAttemptAt }) => (nextAttemptAt ? [webhookId] : []));
  await held(first.id, async () => {
    const began = performance.now();
    await probeWebhooks();
    expect(await planned()).toEqual([second.id]);
    expect(performance.now() - began).toBeLessThan(2_500);
  });
  await probeWebhooks();
  expect((await planned()).toSorted()).toEqual([first.id, second.id]);

  for (const { id } of [first, second]) await updateWebhook(account, { id: String(id) });
  await forAccount(accountId, (tx) => tx.webhook.updateMany({ data: { waking: true } }));
  const isWaking = async (id: number) => (await webhookOf(accountId, id))?.waking;
  await held(first.id, async () => {
    const began = performance.now();
    await planBacklogs();
    expect([await isWaking(first.id), await isWaking(second.id)]).toEqual([true, false]);
    expect(performance.now() - began).toBeLessThan(2_500);
  });
  await planBacklogs();
  expect(await isWaking(first.id)).toBe(false);
});
