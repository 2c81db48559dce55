import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { routesTo } from "@/lib/events/subjects";
import { limits, spendSlot } from "@/lib/rate-limits/spend-slot";
import { call, makeAccount } from "@/lib/testing/make";
import { subscribed } from "@/lib/testing/webhooks";
import { rotateSecret } from "@/lib/webhooks/rotate";
import { type WebhookEvent, webhookEvents } from "@/lib/webhooks/schema";
import { sendTest } from "@/lib/webhooks/send-test";
import { attemptsMade, deliveriesOf, dispatchEvent, happen, makeSale, type Reply } from "@/lib/webhooks/testing";

async function testing(event: WebhookEvent, reply: Reply = { status: 200, body: "ok" }) {
  const made = await subscribed(event, reply);
  const tried = (name?: string) => sendTest(made.account, { id: made.id, event: name }).then(({ data }) => data);
  return { ...made, tried };
}

const counted = (accountId: string) =>
  forAccount(accountId, async (tx) => [await tx.event.count(), await tx.outbox.count(), await tx.deliveryBody.count()]);

test.each(webhookEvents.map((event) => [event, routesTo(event).map(({ name }) => name)] as const))(
  "a test of %s is sent under each of its names %j, signed as a delivery is, and is in no list and no count",
  async (event, names) => {
    const { accountId, webhook, received, tried } = await testing(event);
    const before = await counted(accountId);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const answer = await tried(name);
      expect(answer).toMatchObject({
        event: name,
        is_made_up: true,
        response_status: 200,
        response_body: "ok",
        error: null,
      });
      const { headers = {}, body = "" } = received.at(-1) ?? {};
      const verified = new StandardWebhook(webhook.secret).verify(body, headers as Record<string, string>) as object;
      expect(headers["webhook-id"]).toBe(answer.event_id);
      const [{ contract } = { contract: "event" }] = routesTo(event).filter((route) => route.name === name);
      if (contract === "event") expect(verified).toMatchObject({ event: name, event_id: answer.event_id, test: true });
      else expect(verified).toMatchObject({ data: expect.any(Object) });
    }
    expect(await counted(accountId)).toEqual(before);
    expect([await deliveriesOf(accountId), await attemptsMade(accountId)]).toEqual([[], []]);
  },
);

test("a test is like the account's latest of its kind, under an id and at a time of its own", async () => {
  const { account, accountId, id, received, tried } = await testing("transaction");
  const other = await makeSale(accountId, { clientName: "Bento", amount: 500n });
  await happen(await makeSale(accountId, { clientName: "Antes" }), "completed");
  const event = await happen(other, "completed");
  await dispatchEvent(event);
  const answer = await tried("transaction.updated");
  expect(answer.is_made_up).toBe(false);
  expect(answer.event_id).not.toBe(event.eventId);
  expect(JSON.parse(received.at(-1)?.body ?? "")).toMatchObject({
    ...{
      test: true,
      event: "transaction.updated",
      transaction: { reference_id: other.id, amount: 5, status: "completed" },
    },
    customer: { name: "Bento" },
  });
  expect((await tried("transaction.created")).is_made_up, "none was created in this story").toBe(true);

  const { secret } = await rotateSecret(account, { id, immediately: false }, call());
  await tried();
  const { headers = {}, body = "" } = received.at(-1) ?? {};
  expect(() => new StandardWebhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
});

test("what goes wrong is answered, and a kind that the webhook does not get is refused", async () => {
  const { account, accountId, id, tried } = await testing("refund", { status: 500, body: "down" });
  expect(await tried()).toMatchObject({ response_status: 500, response_body: "down", error: "http_error" });
  await expect(sendTest(account, { id, event: "transaction.updated" })).rejects.toMatchObject({
    code: "validation_failed",
  });
  const other = await makeAccount({ mode: "sandbox" });
  await expect(sendTest(other.account, { id })).rejects.toMatchObject({ code: "webhook_not_found" });
  for (let count = 2; count < limits["webhook-test"](); count += 1) await spendSlot("webhook-test", accountId);
  await expect(sendTest(account, { id })).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  expect(await deliveriesOf(accountId)).toEqual([]);
});
