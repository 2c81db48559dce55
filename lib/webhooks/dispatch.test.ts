import { expect, test } from "vitest";
import { makeAccount } from "@/lib/testing/make";
import { createWebhook } from "@/lib/webhooks/create";
import { dispatchEvent } from "@/lib/webhooks/dispatch";
import { removeWebhook } from "@/lib/webhooks/remove";
import { type WebhookEvent, WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, deliveryJobs, happen, makeSale } from "@/lib/webhooks/testing";

type Account = Awaited<ReturnType<typeof makeAccount>>["account"];

const url = "https://receiver.invalid/hook";

async function register(account: Account, event: WebhookEvent, more: Partial<WebhookInput> = {}) {
  const created = await createWebhook(account, WebhookInput.parse({ title: event, url, event, ...more }));
  if (created instanceof Response) throw new Error("not asked for by key");
  return created;
}

test("every webhook that listens gets one delivery, and no other does", async () => {
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

  const told = (await deliveriesOf(accountId)).map(({ contract, event }) => `${contract} ${event}`);
  expect(told.sort()).toEqual(["cash cashin.create", "cash cashin.create", "event transaction.created"]);
  expect(await deliveryJobs(accountId)).toHaveLength(3);
  expect(await deliveriesOf(other.accountId)).toEqual([]);
});

test("a change is told under the names of changes, a card sale to who listens to cards", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  for (const event of ["all", "transaction", "card"] as const) await register(account, event);

  await dispatchEvent(await happen(await makeSale(accountId), "completed"));
  await dispatchEvent(await happen(await makeSale(accountId, { type: "card", method: "card" }), "completed"));

  const told = (await deliveriesOf(accountId)).map(({ event }) => event);
  expect(told.sort()).toEqual(["card.updated", "cashin.update", "transaction.updated", "transaction.updated"]);
});

test("dispatched twice, and twice at once, an event makes one delivery and one job for each receiver", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  await register(account, "all");
  await register(account, "transaction");
  const callback = { url: "https://receiver.invalid/callback", contract: "legacy" };
  const event = await happen(await makeSale(accountId, { callback }), "completed");

  await Promise.all(Array.from({ length: 8 }, () => dispatchEvent(event)));
  await dispatchEvent(event);

  expect(await deliveriesOf(accountId)).toHaveLength(3);
  expect(await deliveryJobs(accountId)).toHaveLength(3);
});

test("a charge's own callback hears of changes, never of the charge being made", async () => {
  const { accountId } = await makeAccount({ mode: "sandbox" });
  const sale = await makeSale(accountId, { callback: { url, contract: "legacy" } });

  await dispatchEvent(await happen(sale, "pending"));
  expect(await deliveriesOf(accountId)).toEqual([]);

  await dispatchEvent(await happen(sale, "expired"));
  expect(await deliveriesOf(accountId)).toMatchObject([
    { contract: "legacy", webhookId: null, url, status: "pending" },
  ]);
});

test("a webhook for chosen products does not hear of a sale of none", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  await register(account, "transaction", { trigger_all_products: false, products: ["p1"] });
  await register(account, "transaction", { trigger_all_products: false });

  await dispatchEvent(await happen(await makeSale(accountId), "pending"));

  expect(await deliveriesOf(accountId)).toHaveLength(1);
});

test("each endpoint has queues of its own, and what concerns one sale keeps to one of them", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  const [first, second] = [await register(account, "transaction"), await register(account, "transaction")];
  const sale = await makeSale(accountId, { callback: { url, contract: "legacy" } });

  await dispatchEvent(await happen(sale, "pending"));
  await dispatchEvent(await happen(sale, "completed"));

  const queues = (await deliveryJobs(accountId)).map(({ queue_name }) => queue_name);
  const lane = queues[0]?.split(":")[2];
  expect(new Set(queues)).toEqual(
    new Set([
      `webhook:${first.id}:${lane}`,
      `webhook:${second.id}:${lane}`,
      expect.stringMatching(/^callback:[0-9a-f]{16}:[0-3]$/),
    ]),
  );
});
