import { expect, test } from "vitest";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { call, makeAccount } from "@/lib/testing/make";
import { createWebhook } from "@/lib/webhooks/create";
import { listEvents, readEvent } from "@/lib/webhooks/events";
import { EventQuery, WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, deliverOnce, dispatchEvent, happen, makeSale, receiver } from "@/lib/webhooks/testing";

const list = (accountId: string, query: object = {}) => listEvents(accountId, EventQuery.parse(query));

test("events are listed newest first, whether or not a webhook got them, and what only the audit tells of is not", async () => {
  const [made, shop] = [await makeAccount(), await receiver({ status: 200 })];
  const { accountId, account } = made;
  const sale = await makeSale(accountId, { clientName: "Ana" });
  const first = await happen(sale, "pending");
  await dispatchEvent(first);
  const webhook = async (event: string, url: string) =>
    (await createWebhook(account, WebhookInput.parse({ title: event, url, event }), call())).id;
  const [all, cash] = [await webhook("transaction", shop.url), await webhook("cashin", "http://localhost:9/")];
  const second = await happen(sale, "completed");
  await dispatchEvent(second);
  const deliveries = await deliveriesOf(accountId);
  const done = deliveries.find(({ webhookId }) => webhookId === all);
  await deliverOnce({ accountId, deliveryId: done?.id ?? "" });
  const change = { accountId, subject: "product", id: newId(), verb: "created", after: {} } as const;
  await forAccount(accountId, async (tx) => {
    for (let count = 0; count < 30; count += 1) await recordChange(tx, change);
  });

  const { data, meta } = await list(accountId);
  expect(data).toMatchObject([
    { id: second.eventId, subject: "transaction", deliveries: { delivered: 1, pending: 1, failed: 0, exhausted: 0 } },
    { id: first.eventId, about: { name: "Ana", amount: "19.99" }, deliveries: { delivered: 0, pending: 0 } },
  ]);
  expect(data[0]?.names.sort()).toEqual(["cashin.update", "transaction.updated"]);
  expect(meta).toMatchObject({ total: 2, total_is_exact: true, next_cursor: null });
  const one = (await list(accountId, { per_page: 1 })).meta.next_cursor;
  expect(one).toBe(second.eventId);
  const rest = await list(accountId, { per_page: 1, cursor: one });
  expect([rest.data.map(({ id }) => id), rest.meta.next_cursor]).toEqual([[first.eventId], null]);
  expect((await list(accountId, { subject: "refund" })).data).toEqual([]);
  expect((await list(accountId, { subject: "transaction" })).data).toHaveLength(2);
  expect((await list(accountId, { to: "2026-01-01" })).data).toEqual([]);
  expect((await list(accountId, { from: "2026-01-01" })).data).toHaveLength(2);
  expect((await list((await makeAccount()).accountId)).data).toEqual([]);

  const detail = (await readEvent(accountId, second.eventId)).data;
  expect(detail.deliveries.map(({ webhook, status, attempts }) => [webhook, status, attempts.length]).sort()).toEqual(
    [
      [{ id: all, title: "transaction" }, "delivered", 1],
      [{ id: cash, title: "cashin" }, "pending", 0],
    ].sort(),
  );
  await shop.close();
});

test("an event of another account, of the audit alone or of none is not found", async () => {
  const [made, other] = [await makeAccount(), await makeAccount()];
  const { eventId } = await happen(await makeSale(made.accountId), "pending");
  await createWebhook(
    made.account,
    WebhookInput.parse({ title: "a", url: "http://localhost:9/", event: "all" }),
    call(),
  );
  const audited = await forAccount(made.accountId, (tx) =>
    tx.event.findFirstOrThrow({ where: { subject: "webhook" } }),
  );
  expect((await readEvent(made.accountId, eventId)).data).toMatchObject({ id: eventId, deliveries: [] });
  for (const [account, id] of [
    [other.accountId, eventId],
    [made.accountId, audited.id],
    [made.accountId, newId()],
  ] as const) {
    await expect(readEvent(account, id)).rejects.toMatchObject({ code: "event_not_found" });
  }
});
