import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { forAccount } from "@/lib/db";
import { log } from "@/lib/log";
import { untilWaitedFor } from "@/lib/testing/locks";
import { call, makeAccount } from "@/lib/testing/make";
import { openReceiver, subscribed } from "@/lib/testing/webhooks";
import { createWebhook } from "@/lib/webhooks/create";
import type { Conditions } from "@/lib/webhooks/deliver";
import { lockWebhook } from "@/lib/webhooks/lock";
import { probeWebhooks } from "@/lib/webhooks/probe";
import { resendDelivery } from "@/lib/webhooks/resend";
import { type WebhookEvent, WebhookInput } from "@/lib/webhooks/schema";
import {
  attemptsMade,
  deliveriesOf,
  deliverOnce,
  dispatchEvent,
  happen,
  letPass,
  makeSale,
  type Named,
  type Reply,
  webhookOf,
} from "@/lib/webhooks/testing";
import { updateWebhook } from "@/lib/webhooks/update";

/** An account with one webhook at a receiver that gives these replies, and a way to make a sale of which it is told. */
async function selling(event: WebhookEvent, ...replies: [Reply, ...Reply[]]) {
  const made = await subscribed(event, ...replies);
  const { accountId } = made;
  const dispatchSale = async (status: Parameters<typeof happen>[1] = "completed") => {
    const before = new Set((await deliveriesOf(accountId)).map(({ id }) => id));
    await dispatchEvent(await happen(await makeSale(accountId), status));
    const deliveryId = (await deliveriesOf(accountId)).find(({ id }) => !before.has(id))?.id ?? "";
    return { accountId, deliveryId };
  };
  return { ...made, dispatchSale };
}

const HOUR_S = 3_600;
const exact: Conditions = { random: () => 0.5 };

/** Seconds from an account's last attempt to the next one of its first delivery; null when none is planned. */
async function waitedFor(accountId: string) {
  const [[delivery], last] = [await deliveriesOf(accountId), (await attemptsMade(accountId)).at(-1)];
  if (!delivery?.nextAttemptAt || !last) return null;
  return (delivery.nextAttemptAt.getTime() - last.createdAt.getTime()) / 1000;
}

test("cash contract: the headers and the body arrive and verify with the Standard Webhooks library", async () => {
  const { accountId, webhook, received, dispatchSale } = await selling("cashin", { status: 200, body: "ok" });

  await deliverOnce(await dispatchSale());

  const [{ headers, body, path } = { headers: {} as Record<string, string>, body: "", path: "" }] = received;
  expect(path).toBe("/hook");
  expect(headers).toMatchObject({ event: "cashin.update", authorization: `Bearer ${webhook.token}` });
  const verified = new StandardWebhook(webhook.secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ data: { status: "completed", amount: 19.99, final_amount: 18.8 } });
  const [delivery] = await deliveriesOf(accountId);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 1, nextAttemptAt: null });
  expect(headers["webhook-id"]).toBe(delivery?.eventId);
  expect(await attemptsMade(accountId)).toMatchObject([
    { attempt: 1, responseStatus: 200, responseBody: "ok", error: null },
  ]);
});

test("event contract: both signatures verify, by the token and by the secret", async () => {
  const { webhook, received, dispatchSale } = await selling("transaction", { status: 204 });

  await deliverOnce(await dispatchSale("pending"));

  const [{ headers, body } = { headers: {} as Record<string, string>, body: "" }] = received;
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-syncpay-signature"])) ?? [];
  expect(signature).toBe(createHmac("sha256", webhook.token).update(`${seconds}.${body}`).digest("hex"));
  expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(300);
  expect(headers["x-syncpay-event"]).toBe("transaction.created");
  const verified = new StandardWebhook(webhook.secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ event: "transaction.created", transaction: { status: "pending", paid_at: null } });
  expect(headers).not.toHaveProperty("authorization");
});

test("a deposit's own callback is signed with the secret of the account's oldest webhook, and shows no token", async () => {
  const { account, accountId, webhook, url, received } = await selling("refund", { status: 200 });
  await createWebhook(account, WebhookInput.parse({ title: "Outra", url: `${url}/other`, event: "refund" }), call());
  const callback = { url: `${url}/callback`, contract: "legacy" };
  await dispatchEvent(await happen(await makeSale(accountId, { callback, externalId: "pedido-7" }), "completed"));
  const [delivery] = await deliveriesOf(accountId);

  await deliverOnce({ accountId, deliveryId: delivery?.id ?? "" });

  const [{ headers, body } = { headers: {} as Record<string, string>, body: "" }] = received;
  const verified = new StandardWebhook(webhook.secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ data: { status: "PAID_OUT", externalreference: "pedido-7" } });
  expect(JSON.stringify(headers)).not.toContain(webhook.token);
});

test("a callback of an account without webhooks is sent unsigned", async () => {
  const { accountId } = await makeAccount({ mode: "sandbox" });
  const { url, received } = await openReceiver({ status: 200 });
  await dispatchEvent(await happen(await makeSale(accountId, { callback: { url } }), "expired"));
  const [delivery] = await deliveriesOf(accountId);

  await deliverOnce({ accountId, deliveryId: delivery?.id ?? "" });

  expect(received[0]?.headers).toHaveProperty("webhook-id", delivery?.eventId);
  expect(received[0]?.headers).not.toHaveProperty("webhook-signature");
});

test("what still waits for a removed webhook ends unsent, and its secret signs no callback", async () => {
  const { accountId, url, received, dispatchSale } = await selling("transaction", { status: 200 });
  const waiting = await dispatchSale();
  // As of a backlog that is longer than what a removal ends itself.
  await forAccount(accountId, (tx) => tx.webhook.updateMany({ where: { accountId }, data: { deletedAt: new Date() } }));
  await deliverOnce(waiting);
  expect(received).toEqual([]);
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "exhausted", nextAttemptAt: null }]);
  await dispatchEvent(await happen(await makeSale(accountId, { callback: { url } }), "completed"));
  const callback = (await deliveriesOf(accountId)).find(({ webhookId }) => webhookId === null);
  await deliverOnce({ accountId, deliveryId: callback?.id ?? "" });
  expect(received).toHaveLength(1);
  expect(received[0]?.headers).not.toHaveProperty("webhook-signature");
});

test("every attempt has the same webhook-id and its own delivery id, and is recorded with its body and its answer", async () => {
  const { accountId, received, dispatchSale } = await selling(
    "transaction",
    { status: 500, body: "oops" },
    { status: 200 },
  );
  const job = await dispatchSale();

  await deliverOnce(job, exact);
  const [failed] = await deliveriesOf(accountId);
  expect(failed).toMatchObject({ status: "failed", attempts: 1 });
  await deliverOnce(job);

  const [first, second] = received.map(({ headers }) => headers);
  expect(second?.["webhook-id"]).toBe(first?.["webhook-id"]);
  expect(second?.["x-syncpay-delivery"]).not.toBe(first?.["x-syncpay-delivery"]);
  expect(received[1]?.body).toBe(received[0]?.body);
  const attempts = await attemptsMade(accountId);
  expect(attempts).toMatchObject([
    { attempt: 1, responseStatus: 500, responseBody: "oops", error: "http_error" },
    { attempt: 2, responseStatus: 200, error: null },
  ]);
  expect(attempts[0]?.id).toBe(first?.["x-syncpay-delivery"]);
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "delivered", attempts: 2, nextAttemptAt: null }]);
});

test("the waits follow the schedule, and the tenth failure is the last", async () => {
  const { accountId, received, dispatchSale } = await selling("transaction", { status: 500 });
  const job = await dispatchSale();
  const waits: (number | null)[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await deliverOnce(job, exact);
    waits.push(await waitedFor(accountId));
  }

  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "exhausted", attempts: 10 }]);
  await deliverOnce(job);
  expect(received).toHaveLength(10);
});

test("redirects are failures, time-outs are named, and Retry-After is obeyed", async () => {
  const { accountId, dispatchSale } = await selling(
    "transaction",
    { status: 302, headers: { location: "/elsewhere" } },
    "hang",
    { status: 429, headers: { "retry-after": "3600" } },
  );
  const job = await dispatchSale();
  await deliverOnce(job, exact);
  await deliverOnce(job, { ...exact, timeoutMs: 60 });
  await deliverOnce(job, exact);

  expect(await attemptsMade(accountId)).toMatchObject([
    { responseStatus: 302, error: "redirect" },
    { responseStatus: null, error: "timeout" },
    { responseStatus: 429, error: "http_error" },
  ]);
  expect(await waitedFor(accountId)).toBe(HOUR_S);
});

test("a 410 disables the webhook at once; saving it enables it and sends what waited", async () => {
  const { account, accountId, webhook, received, dispatchSale } = await selling(
    "transaction",
    { status: 410 },
    { status: 200 },
  );
  const [gone, waiting] = [await dispatchSale(), await dispatchSale()];

  await deliverOnce(gone);
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ disabledAt: expect.any(Date) });
  await deliverOnce(waiting);
  const later = await dispatchSale();
  expect(received).toHaveLength(1);
  expect(await deliveriesOf(accountId)).toMatchObject([
    { status: "exhausted" },
    { status: "pending", nextAttemptAt: null },
    { status: "pending", nextAttemptAt: null },
  ]);

  expect(await updateWebhook(account, { id: String(webhook.id) })).toMatchObject({
    status: "active",
    disabled_at: null,
  });
  await deliverOnce(waiting);
  await deliverOnce(later);
  expect((await deliveriesOf(accountId)).map(({ status }) => status)).toEqual(["exhausted", "delivered", "delivered"]);
});

test("a webhook is disabled only after 12 failures in a row over a day, and a daily probe enables it again", async () => {
  const failures = Array<Reply>(13).fill({ status: 503 }) as [Reply, ...Reply[]];
  const { accountId, webhook, dispatchSale } = await selling("transaction", ...failures, { status: 200 });
  const [first, second] = [await dispatchSale(), await dispatchSale()];
  const fail = async (job: Named) => {
    await deliverOnce(job, exact);
    return webhookOf(accountId, webhook.id);
  };
  for (let failure = 1; failure <= 9; failure += 1) await fail(first);
  await letPass(accountId, 25);
  await fail(second);
  expect(await fail(second)).toMatchObject({ failuresInRow: 11, disabledAt: null });
  const { disabledAt, nextProbeAt } = await fail(second);
  expect(Number(nextProbeAt) - Number(disabledAt)).toBe(24 * HOUR_S * 1000);
  expect(disabledAt).toEqual((await attemptsMade(accountId)).at(-1)?.createdAt);

  const [waiting, planned] = [{ status: "failed", nextAttemptAt: null }, { nextAttemptAt: expect.any(Date) }];
  expect(await deliveriesOf(accountId)).toMatchObject([waiting, waiting]);
  await letPass(accountId, 23);
  await probeWebhooks();
  expect(await deliveriesOf(accountId), "not a day later yet").toMatchObject([waiting, waiting]);
  await letPass(accountId, 1);
  await probeWebhooks();
  expect(await deliveriesOf(accountId)).toMatchObject([planned, waiting]);
  expect(await fail(first)).toMatchObject({ disabledAt: expect.any(Date), nextProbeAt: expect.any(Date) });
  expect(await deliveriesOf(accountId)).toMatchObject([waiting, waiting]);
  await letPass(accountId, 24);
  await probeWebhooks();
  expect(await fail(first)).toMatchObject({
    disabledAt: null,
    nextProbeAt: null,
    failuresInRow: 0,
    failingSince: null,
  });
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "delivered" }, { status: "failed", ...planned }]);
});

/** A disabled webhook without open deliveries: two used up all their attempts, the last one a day later. */
async function disabled(...after: Reply[]) {
  const failures = Array<Reply>(20).fill({ status: 503 }) as [Reply, ...Reply[]];
  const made = await selling("transaction", ...failures, ...after);
  const { accountId } = made;
  const [first, second] = [await made.dispatchSale(), await made.dispatchSale()];
  for (let attempt = 1; attempt <= 10; attempt += 1) await deliverOnce(first, exact);
  for (let attempt = 1; attempt <= 9; attempt += 1) await deliverOnce(second, exact);
  await letPass(accountId, 25);
  await deliverOnce(second, exact);
  /** Lets `hours` pass and runs the loop once. */
  const probeAfter = async (hours: number) => {
    await letPass(accountId, hours);
    await probeWebhooks();
  };
  /** Which of the later deliveries are planned. */
  const planned = async () =>
    (await deliveriesOf(accountId)).slice(2).map(({ nextAttemptAt }) => nextAttemptAt !== null);
  return { ...made, probeAfter, planned };
}

test("a disabled webhook with nothing to send is tried with its next delivery, and a success enables it", async () => {
  const { accountId, webhook, dispatchSale, probeAfter, planned } = await disabled({ status: 500 }, { status: 200 });
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ disabledAt: expect.any(Date) });
  expect((await deliveriesOf(accountId)).map(({ status }) => status)).toEqual(["exhausted", "exhausted"]);
  await probeAfter(24);

  const [first] = [await dispatchSale(), await dispatchSale()];
  expect(await planned()).toEqual([false, false]);
  await probeAfter(1);
  expect(await planned()).toEqual([true, false]);
  await deliverOnce(first, exact);
  expect(await planned()).toEqual([false, false]);
  await probeAfter(24);
  await deliverOnce(first, exact);
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ disabledAt: null, nextProbeAt: null });
  expect(await planned()).toEqual([false, true]);
});

test("one of many sweeps at once tries a disabled webhook, once a day", async () => {
  const { dispatchSale, probeAfter, planned } = await disabled();
  await dispatchSale();
  await dispatchSale();
  await probeAfter(24);
  await Promise.all([probeWebhooks(), probeWebhooks(), probeWebhooks()]);
  expect(await planned()).toEqual([true, false]);
  await probeAfter(23);
  expect(await planned()).toEqual([true, false]);
});

test("a probe leaves alone a webhook that another has just tried", async () => {
  const { accountId, webhook, dispatchSale, probeAfter, planned } = await disabled();
  await dispatchSale();
  const where = { accountId_id: { accountId, id: webhook.id } };
  await letPass(accountId, 24);
  const second = await forAccount(accountId, async (tx) => {
    await lockWebhook(tx, accountId, webhook.id);
    const sweeping = probeAfter(0);
    await untilWaitedFor(tx);
    await tx.webhook.update({ where, data: { nextProbeAt: new Date(Date.now() + 24 * HOUR_S * 1000) } });
    return { sweeping };
  });
  await second.sweeping;
  expect(await planned()).toEqual([false]);
});

/** Makes a delivery older than the longest backlog. */
const age = ({ accountId, deliveryId: id }: Named) =>
  forAccount(accountId, (tx) =>
    tx.delivery.update({
      where: { accountId_id: { accountId, id } },
      data: { createdAt: new Date(Date.now() - 15 * 24 * HOUR_S * 1000) },
    }),
  );

test("a webhook whose row is held keeps no attempt at another from being recorded", async () => {
  const [held, other] = [await selling("transaction", { status: 500 }), await selling("transaction", { status: 500 })];
  const attempts = async ({ accountId }: { accountId: string }) => (await attemptsMade(accountId)).length;
  const sales = [await held.dispatchSale(), await held.dispatchSale()];
  const sale = await other.dispatchSale();
  let waiting: Promise<unknown>[] = [];
  await forAccount(held.accountId, async (tx) => {
    await lockWebhook(tx, held.accountId, held.webhook.id);
    waiting = sales.map((one) => deliverOnce(one, exact));
    await vi.waitFor(() => expect(held.received).toHaveLength(2), 10_000);
    await deliverOnce(sale, exact);
    expect([await attempts(held), await attempts(other)]).toEqual([0, 1]);
  });
  await Promise.all(waiting);
  expect(await attempts(held)).toBe(2);
});

test("a delivery that is no longer kept is passed over for the next that waits", async () => {
  const { dispatchSale, probeAfter, planned } = await disabled();
  const [old] = [await dispatchSale(), await dispatchSale()];
  await age(old);
  await probeAfter(24);
  expect(await planned()).toEqual([false, true]);
});

test("a delivery that fails when it is no longer kept is ended", async () => {
  const { accountId, dispatchSale, probeAfter } = await disabled({ status: 500 });
  const old = await dispatchSale();
  await probeAfter(24);
  await age(old);
  await deliverOnce(old, exact);
  expect((await deliveriesOf(accountId)).at(-1)).toMatchObject({ status: "exhausted", nextAttemptAt: null });
});

test("a webhook that answers 410 is not tried any more, whatever it answered before", async () => {
  const { accountId, webhook, dispatchSale, probeAfter, planned } = await disabled({ status: 410 });
  const [first] = [await dispatchSale(), await dispatchSale()];
  await probeAfter(24);
  await deliverOnce(first, exact);
  await dispatchSale();
  await probeAfter(24);
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ disabledAt: expect.any(Date), nextProbeAt: null });
  expect((await deliveriesOf(accountId)).at(2)).toMatchObject({ status: "exhausted" });
  expect(await planned()).toEqual([false, false, false]);
});

test("twelve failures within a day, or a success among them, disable nothing", async () => {
  const failures = Array<Reply>(11).fill({ status: 500 });
  const { accountId, webhook, dispatchSale } = await selling(
    "transaction",
    { status: 500 },
    ...failures,
    { status: 200 },
    {
      status: 500,
    },
  );
  for (let failure = 1; failure <= 12; failure += 1) {
    await deliverOnce(await dispatchSale(), exact);
    await letPass(accountId, 1);
  }
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ failuresInRow: 12, disabledAt: null });
  await letPass(accountId, 11);
  await deliverOnce(await dispatchSale(), exact);
  await letPass(accountId, 25);
  await deliverOnce(await dispatchSale(), exact);
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ failuresInRow: 1, disabledAt: null });
});

test("a crash after sending and before recording sends again under the same webhook-id", async () => {
  const { accountId, received, dispatchSale } = await selling("transaction", { status: 500 }, { status: 200 });
  const job = await dispatchSale();
  const crash = () => {
    throw new Error("killed here");
  };

  await expect(deliverOnce(job, { random: crash })).rejects.toThrow("killed here");
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "pending", attempts: 0 }]);
  await letPass(accountId, 10 / HOUR_S);
  await deliverOnce(job);

  expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "delivered", attempts: 1 }]);
});

test("a live account's deliveries never reach this machine, not even by a name that resolves to it", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  const { url, received } = await openReceiver({ status: 200 });
  const callbacks = [url, `https://rebound.example:${new URL(url).port}/`, "https://[::ffff:7f00:1]/"];
  for (const callback of callbacks) {
    await dispatchEvent(await happen(await makeSale(accountId, { callback: { url: callback } }), "completed"));
  }
  for (const { id } of await deliveriesOf(accountId)) {
    await deliverOnce({ accountId, deliveryId: id }, { resolve: async () => ["127.0.0.1"] });
  }

  expect((await attemptsMade(accountId)).map(({ error }) => error)).toEqual(Array(3).fill("address_not_allowed"));
  expect(received).toEqual([]);
});

test("a resend during an attempt is not put off by the failure of that attempt", async () => {
  const { accountId, webhook, received, dispatchSale, close } = await selling("transaction", "hang");
  const { deliveryId } = await dispatchSale();

  const underWay = deliverOnce({ accountId, deliveryId });
  await vi.waitFor(() => expect(received).toHaveLength(1));
  await resendDelivery({ id: accountId }, { id: deliveryId, webhookId: String(webhook.id) }, call());
  const [asked] = await deliveriesOf(accountId);
  await close();
  await underWay;

  expect(await attemptsMade(accountId)).toMatchObject([{ attempt: 1, error: "connection_failed" }]);
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "pending", nextAttemptAt: asked?.nextAttemptAt }]);
});

test("the token is hidden in the answer of a receiver that sends it back", async () => {
  const { accountId, webhook, dispatchSale } = await selling("cashin", "echo");
  await deliverOnce(await dispatchSale());
  const [attempt] = await attemptsMade(accountId);
  expect(attempt?.responseBody).toContain("Bearer ****");
  expect(attempt?.responseBody).not.toContain(webhook.token);
});

test("no line of the log holds a token, a body or an address", async () => {
  const spies = (["warn", "debug", "info", "error"] as const).map((level) => vi.spyOn(log, level));
  const { webhook, dispatchSale } = await selling("cashin", { status: 500, body: "private answer" }, { status: 200 });
  const job = await dispatchSale();
  await deliverOnce(job);
  await deliverOnce(job);

  const lines = JSON.stringify(spies.flatMap((spy) => spy.mock.calls));
  expect(lines).toContain(job.deliveryId);
  for (const secret of [webhook.token, webhook.secret, webhook.url, "private answer", "000201"]) {
    expect(lines).not.toContain(secret);
  }
  for (const spy of spies) spy.mockRestore();
});
