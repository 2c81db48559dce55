import { expect, test } from "vitest";
import { asSystem, forAccount, type Query, transactionOverAll } from "@/lib/db";
import { call, makeAccount } from "@/lib/testing/make";
import { createWebhook } from "@/lib/webhooks/create";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import { lockWebhook } from "@/lib/webhooks/lock";
import { disableWebhook, reenableWebhook } from "@/lib/webhooks/reenable";
import { removeWebhook } from "@/lib/webhooks/remove";
import { type WebhookEvent, WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, dispatchEvent, happen, makeSale } from "@/lib/webhooks/testing";

type Account = Awaited<ReturnType<typeof makeAccount>>["account"];

const url = "https://receiver.invalid/hook";

async function register(account: Account, event: WebhookEvent, more: Partial<WebhookInput> = {}) {
  const created = await createWebhook(account, WebhookInput.parse({ title: event, url, event, ...more }), call());
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
  await removeWebhook({ id: accountId }, { id: String(removed.id) });
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

/** Dispatches events as one set. Returns the names of the statements that this took, and whether it made anything. */
async function dispatchTogether(keys: readonly { eventId: string }[]) {
  const where = { id: { in: keys.map(({ eventId }) => eventId) } };
  const events = await asSystem((tx) => tx.event.findMany({ where, orderBy: { id: "asc" } }));
  const statements: string[] = [];
  const act = await transactionOverAll((query) => {
    const noting: Query = (name, text, values) => {
      statements.push(name);
      return query(name, text, values);
    };
    return dispatchEvents(noting, events, () => {});
  });
  return { statements, hasMade: act !== undefined };
}

test("the events of many accounts are dispatched by two statements, each to its account's webhooks alone", async () => {
  const sellers = await Promise.all([1, 2, 3].map(() => makeAccount({ mode: "sandbox" })));
  const webhooks = new Map<string, (number | null)[]>();
  const events = [];
  for (const { account, accountId } of sellers) {
    const [first, second] = [await register(account, "transaction"), await register(account, "all")];
    webhooks.set(accountId, [first.id, second.id, null]);
    for (const status of ["pending", "completed", "completed"] as const) {
      events.push(await happen(await makeSale(accountId, { callback: { url, contract: "legacy" } }), status));
    }
  }
  const { statements } = await dispatchTogether(events);
  expect(statements).toEqual(["dispatch_webhooks", "dispatch_deliveries"]);
  for (const { accountId } of sellers) {
    const deliveries = await deliveriesOf(accountId);
    expect(deliveries).toHaveLength(3 + 3 + 2);
    expect(new Set(deliveries.map(({ webhookId }) => webhookId))).toEqual(new Set(webhooks.get(accountId)));
    const bodies = await forAccount(accountId, (tx) => tx.deliveryBody.count());
    expect(bodies).toBe(3 + 3 + 2);
  }
  expect((await dispatchTogether(events)).hasMade, "a second time").toBe(false);
});

test("events without a receiver cost one reading of webhooks for all of them", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  await register(account, "refund");
  const events = [];
  for (let sale = 0; sale < 3; sale += 1) events.push(await happen(await makeSale(accountId), "completed"));
  expect(await dispatchTogether(events)).toEqual({ statements: ["dispatch_webhooks"], hasMade: false });
});

test("the deliveries of a set are planned in the order in which their events happened", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  await register(account, "transaction");
  const events = [];
  for (let sale = 0; sale < 5; sale += 1) events.push(await happen(await makeSale(accountId), "completed"));
  await dispatchTogether(events);
  const planned = await forAccount(
    accountId,
    (tx) => tx.$queryRaw<{ id: string }[]>`select event_id::text as id from deliveries
      order by next_attempt_at, id desc`,
  );
  expect(planned.map(({ id }) => id)).toEqual(events.map(({ eventId }) => eventId));
  expect((await deliveriesOf(accountId)).map(({ eventId }) => eventId)).toEqual(planned.map(({ id }) => id));
});

test("a disabled webhook's deliveries wait, and after a fortnight it gets none", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  const [recent, long] = [await register(account, "transaction"), await register(account, "transaction")];
  const at = new Date();
  for (const [{ id }, days] of [
    [recent, 13],
    [long, 15],
  ] as const) {
    await forAccount(accountId, async (tx) => {
      const webhook = await lockWebhook(tx, accountId, id);
      if (webhook) await disableWebhook(tx, webhook, new Date(at.getTime() - days * 86_400_000), null);
    });
  }
  await dispatchEvent(await happen(await makeSale(accountId), "completed"));
  expect(await deliveriesOf(accountId)).toMatchObject([{ webhookId: recent.id, nextAttemptAt: null }]);
});

test("an event whose webhook is being enabled is left for later, and then does not wait for ever", async () => {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  const { id } = await register(account, "transaction");
  const at = new Date();
  await forAccount(accountId, async (tx) => {
    const webhook = await lockWebhook(tx, accountId, id);
    if (webhook) await disableWebhook(tx, webhook, at, at);
  });
  const event = await happen(await makeSale(accountId), "completed");
  await forAccount(accountId, async (tx) => {
    const webhook = await lockWebhook(tx, accountId, id);
    expect(await dispatchEvent(event)).toEqual([event.eventId]);
    expect(await deliveriesOf(accountId)).toEqual([]);
    if (webhook) await reenableWebhook(tx, webhook, at);
  });
  expect(await dispatchEvent(event)).toEqual([]);
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "pending", nextAttemptAt: expect.any(Date) }]);
});
