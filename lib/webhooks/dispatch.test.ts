import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { untilWaitedFor } from "@/lib/testing/locks";
import { makeAccount } from "@/lib/testing/make";
import { createWebhook } from "@/lib/webhooks/create";
import { lockWebhook } from "@/lib/webhooks/lock";
import { removeWebhook } from "@/lib/webhooks/remove";
import { type WebhookEvent, WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, dispatchEvent, happen, makeSale } from "@/lib/webhooks/testing";
import { disableWebhook, wakeWebhook } from "@/lib/webhooks/wake";

type Account = Awaited<ReturnType<typeof makeAccount>>["account"];

const url = "https://receiver.invalid/hook";

async function register(account: Account, event: WebhookEvent, more: Partial<WebhookInput> = {}) {
  const created = await createWebhook(account, WebhookInput.parse({ title: event, url, event, ...more }));
  return created;
}

test("every webhook that is registered for the event gets one delivery, and no other does", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  const other = await makeAccount({ mode: "sandbox" });
  for (const event of [
    "cashin",
    "cashout",
    "all",
    "transaction",
    "card",
    "refund",
    "infraction",
    "cobranca_paga",
  ] as const) {
    await register(account, event);
  }
  const removed = await register(account, "transaction");
  await removeWebhook(accountId, String(removed.id));
  await register(other.account, "all");

  await dispatchEvent(await happen(await makeSale(accountId), "pending"));

  const sent = (await deliveriesOf(accountId)).map(({ contract, event }) => `${contract} ${event}`);
  expect(sent.sort()).toEqual(["cash cashin.create", "cash cashin.create", "event transaction.created"]);
  expect(await deliveriesOf(other.accountId)).toEqual([]);
});

test("a change has the names of changes, and a card sale also reaches webhooks for cards", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  for (const event of ["all", "transaction", "card"] as const) await register(account, event);

  await dispatchEvent(await happen(await makeSale(accountId), "completed"));
  await dispatchEvent(await happen(await makeSale(accountId, { method: "card" }), "completed"));

  const sent = (await deliveriesOf(accountId)).map(({ event }) => event);
  expect(sent.sort()).toEqual(["card.updated", "cashin.update", "transaction.updated", "transaction.updated"]);
});

test("an event that is dispatched twice, or twice at once, has one delivery for each receiver", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  await register(account, "all");
  await register(account, "transaction");
  const callback = { url: "https://receiver.invalid/callback", contract: "legacy" };
  const event = await happen(await makeSale(accountId, { callback }), "completed");

  await Promise.all(Array.from({ length: 8 }, () => dispatchEvent(event)));
  await dispatchEvent(event);

  expect(await deliveriesOf(accountId)).toHaveLength(3);
});

test("a deposit's own callback gets changes, and never the creation", async () => {
  const { accountId } = await makeAccount({ mode: "sandbox" });
  const sale = await makeSale(accountId, { callback: { url, contract: "legacy" } });

  await dispatchEvent(await happen(sale, "pending"));
  expect(await deliveriesOf(accountId)).toEqual([]);

  await dispatchEvent(await happen(sale, "expired"));
  expect(await deliveriesOf(accountId)).toMatchObject([
    { contract: "legacy", webhookId: null, url, status: "pending" },
  ]);
});

test("a webhook for chosen products gets no event about a sale without one", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  await register(account, "transaction", { trigger_all_products: false, products: ["p1"] });
  await register(account, "transaction", { trigger_all_products: false });

  await dispatchEvent(await happen(await makeSale(accountId), "pending"));

  expect(await deliveriesOf(accountId)).toHaveLength(1);
});

test("a body is stored once for all receivers that get the same", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  for (let count = 0; count < 5; count += 1) await register(account, "transaction");
  await register(account, "all");
  await dispatchEvent(await happen(await makeSale(accountId), "pending"));

  expect(await deliveriesOf(accountId)).toHaveLength(6);
  const bodies = await forAccount(accountId, (tx) => tx.deliveryBody.findMany({ orderBy: { contract: "asc" } }));
  expect(bodies.map(({ event, body }) => [event, Object.keys(JSON.parse(body))[0]])).toEqual([
    ["cashin.create", "data"],
    ["transaction.created", "event"],
  ]);
});

test("an event that is dispatched while its webhook is enabled does not wait for ever", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  const { id } = await register(account, "transaction");
  const at = new Date();
  await forAccount(accountId, async (tx) => {
    const webhook = await lockWebhook(tx, accountId, id);
    if (webhook) await disableWebhook(tx, webhook, at, at);
  });
  const event = await happen(await makeSale(accountId), "completed");
  const { dispatching } = await forAccount(accountId, async (tx) => {
    const webhook = await lockWebhook(tx, accountId, id);
    const dispatching = dispatchEvent(event);
    await untilWaitedFor(tx);
    if (webhook) await wakeWebhook(tx, webhook, at);
    return { dispatching };
  });
  await dispatching;
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "pending", nextAttemptAt: expect.any(Date) }]);
});
