import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { afterAll, expect, test, vi } from "vitest";
import { forAccount, pool } from "@/lib/db";
import { log } from "@/lib/log";
import { untilWaitedFor } from "@/lib/testing/locks";
import { makeAccount } from "@/lib/testing/make";
import { createWebhook } from "@/lib/webhooks/create";
import { type Conditions, deliverWebhook } from "@/lib/webhooks/deliver";
import { dispatchEvent } from "@/lib/webhooks/dispatch";
import { lockWebhook } from "@/lib/webhooks/lock";
import { probeWebhooks } from "@/lib/webhooks/probe";
import { resendDelivery } from "@/lib/webhooks/resend";
import { type WebhookEvent, WebhookInput } from "@/lib/webhooks/schema";
import {
  attemptsMade,
  deliveriesOf,
  deliveryJobs,
  happen,
  makeSale,
  type Reply,
  receiver,
  webhookOf,
} from "@/lib/webhooks/testing";
import { updateWebhook } from "@/lib/webhooks/update";

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** An account with one webhook at a receiver that gives these replies. */
async function listening(event: WebhookEvent, ...replies: [Reply, ...Reply[]]) {
  const { account, accountId } = await makeAccount({ mode: "sandbox" });
  const { url, received, close } = await receiver(...replies);
  closing.push(close);
  const webhook = await createWebhook(account, WebhookInput.parse({ title: "Loja", url: `${url}/hook`, event }));
  if (webhook instanceof Response) throw new Error("not asked for by key");
  const tell = async (status: Parameters<typeof happen>[1] = "completed") => {
    const before = new Set((await deliveriesOf(accountId)).map(({ id }) => id));
    await dispatchEvent(await happen(await makeSale(accountId), status));
    const deliveryId = (await deliveriesOf(accountId)).find(({ id }) => !before.has(id))?.id ?? "";
    return { accountId, deliveryId };
  };
  return { account, accountId, webhook, url, received, tell, close };
}

const HOUR = 3_600_000;
const exact: Conditions = { random: () => 0.5 };

test("cash contract: its headers and body arrive and verify with the Standard Webhooks library", async () => {
  const { accountId, webhook, received, tell } = await listening("cashin", { status: 200, body: "ok" });

  await deliverWebhook(await tell());

  const [{ headers, body, path } = { headers: {} as Record<string, string>, body: "", path: "" }] = received;
  expect(path).toBe("/hook");
  expect(headers).toMatchObject({ event: "cashin.update", authorization: `Bearer ${webhook.token}` });
  const verified = new StandardWebhook(webhook.secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ data: { status: "completed", amount: 19.99, final_amount: 18.8 } });
  const [delivery] = await deliveriesOf(accountId);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 1, nextAttemptAt: null });
  expect(headers["webhook-id"]).toBe(delivery?.eventId);
  expect(await attemptsMade(accountId)).toMatchObject([
    { attempt: 1, requestBody: body, responseStatus: 200, responseBody: "ok", error: null },
  ]);
});

test("event contract: both signatures verify, by the token and by the secret", async () => {
  const { webhook, received, tell } = await listening("transaction", { status: 204 });

  await deliverWebhook(await tell("pending"));

  const [{ headers, body } = { headers: {} as Record<string, string>, body: "" }] = received;
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-syncpay-signature"])) ?? [];
  expect(signature).toBe(createHmac("sha256", webhook.token).update(`${seconds}.${body}`).digest("hex"));
  expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(300);
  expect(headers["x-syncpay-event"]).toBe("transaction.created");
  const verified = new StandardWebhook(webhook.secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ event: "transaction.created", transaction: { status: "pending", paid_at: null } });
  expect(headers).not.toHaveProperty("authorization");
});

test("a charge's own callback is signed with the account's oldest webhook's secret, and shows no token", async () => {
  const { accountId, webhook, url, received } = await listening("refund", { status: 200 });
  const callback = { url: `${url}/callback`, contract: "legacy" };
  await dispatchEvent(await happen(await makeSale(accountId, { callback, externalId: "pedido-7" }), "completed"));
  const [delivery] = await deliveriesOf(accountId);

  await deliverWebhook({ accountId, deliveryId: delivery?.id ?? "" });

  const [{ headers, body } = { headers: {} as Record<string, string>, body: "" }] = received;
  const verified = new StandardWebhook(webhook.secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ data: { status: "PAID_OUT", externalreference: "pedido-7" } });
  expect(JSON.stringify(headers)).not.toContain(webhook.token);
});

test("a callback of an account without webhooks is sent unsigned", async () => {
  const { accountId } = await makeAccount({ mode: "sandbox" });
  const { url, received, close } = await receiver({ status: 200 });
  closing.push(close);
  await dispatchEvent(await happen(await makeSale(accountId, { callback: { url } }), "expired"));
  const [delivery] = await deliveriesOf(accountId);

  await deliverWebhook({ accountId, deliveryId: delivery?.id ?? "" });

  expect(received[0]?.headers).toHaveProperty("webhook-id", delivery?.eventId);
  expect(received[0]?.headers).not.toHaveProperty("webhook-signature");
});

test("every attempt has the same webhook-id and its own delivery id, and is kept with what was sent and said", async () => {
  const { accountId, received, tell } = await listening("transaction", { status: 500, body: "oops" }, { status: 200 });
  const job = await tell();

  await deliverWebhook(job, exact);
  const [failed] = await deliveriesOf(accountId);
  expect(failed).toMatchObject({ status: "failed", attempts: 1 });
  expect(await deliveryJobs(accountId)).toMatchObject([
    { run_at: failed?.nextAttemptAt, queue_name: expect.stringMatching(/^retry:/) },
  ]);
  await deliverWebhook(job);

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

test("the waits follow the schedule and the tenth failure is the last", async () => {
  const { accountId, received, tell } = await listening("transaction", { status: 500 });
  const job = await tell();
  const at = new Date();
  const waits: (number | null)[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await deliverWebhook(job, { ...exact, now: () => at });
    const [delivery] = await deliveriesOf(accountId);
    waits.push(delivery?.nextAttemptAt ? (delivery.nextAttemptAt.getTime() - at.getTime()) / 1000 : null);
  }

  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "exhausted", attempts: 10 }]);
  await deliverWebhook(job);
  expect(received).toHaveLength(10);
});

test("redirects are failures, time-outs have their name, Retry-After is obeyed", async () => {
  const { accountId, tell } = await listening(
    "transaction",
    { status: 302, headers: { location: "/elsewhere" } },
    "hang",
    { status: 429, headers: { "retry-after": "3600" } },
  );
  const job = await tell();
  const at = new Date();
  await deliverWebhook(job, exact);
  await deliverWebhook(job, { ...exact, timeoutMs: 60 });
  await deliverWebhook(job, { ...exact, now: () => at });

  expect(await attemptsMade(accountId)).toMatchObject([
    { responseStatus: 302, error: "redirect" },
    { responseStatus: null, error: "timeout" },
    { responseStatus: 429, error: "http_error" },
  ]);
  const [delivery] = await deliveriesOf(accountId);
  expect(delivery?.nextAttemptAt?.getTime()).toBe(at.getTime() + HOUR);
});

test("410 turns the webhook off at once; saving it turns it on and sends what waited", async () => {
  const { account, accountId, webhook, received, tell } = await listening(
    "transaction",
    { status: 410 },
    { status: 200 },
  );
  const [gone, waiting] = [await tell(), await tell()];

  await deliverWebhook(gone);
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ disabledAt: expect.any(Date) });
  await deliverWebhook(waiting);
  const later = await tell();
  expect(received).toHaveLength(1);
  expect(await deliveriesOf(accountId)).toMatchObject([
    { status: "exhausted" },
    { status: "pending", nextAttemptAt: null },
    { status: "pending", nextAttemptAt: null },
  ]);

  expect(await updateWebhook(account, String(webhook.id), {})).toMatchObject({ status: "active", disabled_at: null });
  await deliverWebhook(waiting);
  await deliverWebhook(later);
  expect((await deliveriesOf(accountId)).map(({ status }) => status)).toEqual(["exhausted", "delivered", "delivered"]);
});

test("a webhook is given up only after 12 failures in a row spanning a day; a daily probe opens it again", async () => {
  const failures = Array<Reply>(13).fill({ status: 503 }) as [Reply, ...Reply[]];
  const { accountId, webhook, tell } = await listening("transaction", ...failures, { status: 200 });
  const start = Date.now();
  const jobs = [await tell(), await tell()];
  const fail = async (afterHours: number, job = jobs[0]) => {
    if (job) await deliverWebhook(job, { ...exact, now: () => new Date(start + afterHours * HOUR) });
    return webhookOf(accountId, webhook.id);
  };
  for (let failure = 1; failure <= 9; failure += 1) await fail(0);
  await fail(25, jobs[1]);
  expect(await fail(25, jobs[1])).toMatchObject({ failuresInRow: 11, disabledAt: null });
  expect(await fail(25, jobs[1])).toMatchObject({ failuresInRow: 12, disabledAt: new Date(start + 25 * HOUR) });

  const waiting = { status: "failed", nextAttemptAt: null };
  expect(await deliveriesOf(accountId)).toMatchObject([waiting, waiting]);
  await probeWebhooks(new Date(start + 48 * HOUR));
  expect(await deliveriesOf(accountId), "not a day later yet").toMatchObject([waiting, waiting]);
  await probeWebhooks(new Date(start + 49 * HOUR));
  expect(await deliveriesOf(accountId)).toMatchObject([{ nextAttemptAt: new Date(start + 49 * HOUR) }, waiting]);
  expect(await fail(49)).toMatchObject({ nextProbeAt: new Date(start + 73 * HOUR) });
  expect(await deliveriesOf(accountId)).toMatchObject([waiting, waiting]);
  await probeWebhooks(new Date(start + 73 * HOUR));
  expect(await fail(73)).toMatchObject({ disabledAt: null, nextProbeAt: null, failuresInRow: 0, failingSince: null });
  expect(await deliveriesOf(accountId)).toMatchObject([
    { status: "delivered" },
    { status: "failed", nextAttemptAt: new Date(start + 73 * HOUR) },
  ]);
});

/** Two deliveries that used up all their attempts, the last one a day later: a webhook given up with nothing open. */
async function givenUp(...after: Reply[]) {
  const failures = Array<Reply>(20).fill({ status: 503 }) as [Reply, ...Reply[]];
  const made = await listening("transaction", ...failures, ...after);
  const [first, second] = [await made.tell(), await made.tell()];
  const start = Date.now();
  const at = (hours: number): Conditions => ({ ...exact, now: () => new Date(start + hours * HOUR) });
  for (let attempt = 1; attempt <= 10; attempt += 1) await deliverWebhook(first, at(0));
  for (let attempt = 1; attempt <= 9; attempt += 1) await deliverWebhook(second, at(0));
  await deliverWebhook(second, at(25));
  const probe = (hours: number) => probeWebhooks(new Date(start + hours * HOUR));
  /** When each delivery made since then is tried next, in hours. */
  const planned = async () =>
    (await deliveriesOf(made.accountId))
      .slice(2)
      .map(({ nextAttemptAt }) => nextAttemptAt && (nextAttemptAt.getTime() - start) / HOUR);
  return { ...made, at, start, probe, planned };
}

test("a webhook that was given up with nothing to send is tried with what comes first, and opens by itself", async () => {
  const { accountId, webhook, tell, at, start, probe, planned } = await givenUp({ status: 500 }, { status: 200 });
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ disabledAt: new Date(start + 25 * HOUR) });
  expect((await deliveriesOf(accountId)).map(({ status }) => status)).toEqual(["exhausted", "exhausted"]);
  await probe(49);

  const [first] = [await tell(), await tell()];
  expect(await planned()).toEqual([null, null]);
  await probe(50);
  expect(await planned()).toEqual([50, null]);
  expect(await deliveryJobs(accountId)).toContainEqual(
    expect.objectContaining({ key: `webhooks.deliver:${first.deliveryId}`, run_at: new Date(start + 50 * HOUR) }),
  );
  await deliverWebhook(first, at(50));
  expect(await planned()).toEqual([null, null]);
  await probe(74);
  await deliverWebhook(first, at(74));
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ disabledAt: null, nextProbeAt: null });
  expect(await planned()).toEqual([null, 74]);
});

test("of many sweeps at once one tries a disabled webhook, once a day", async () => {
  const { tell, probe, planned } = await givenUp();
  await tell();
  await tell();
  await Promise.all([50, 51, 52].map(probe));
  const [first, second] = await planned();
  expect([50, 51, 52]).toContain(first);
  expect(second).toBeNull();
  await probe(73);
  expect(await planned()).toEqual([first, null]);
});

test("a sweep that comes late to a webhook which another has just tried leaves it alone", async () => {
  const { accountId, webhook, start, tell, probe, planned } = await givenUp();
  await tell();
  const where = { accountId_id: { accountId, id: webhook.id } };
  const late = await forAccount(accountId, async (tx) => {
    await lockWebhook(tx, accountId, webhook.id);
    const sweeping = probe(50);
    await untilWaitedFor(tx);
    await tx.webhook.update({ where, data: { nextProbeAt: new Date(start + 74 * HOUR) } });
    return { sweeping };
  });
  await late.sweeping;
  expect(await planned()).toEqual([null]);
});

test("what is no longer kept is not tried, but the next that waits", async () => {
  const { accountId, tell, start, probe, planned } = await givenUp();
  const [old] = [await tell(), await tell()];
  const where = { accountId_id: { accountId, id: old.deliveryId } };
  const createdAt = new Date(start - 13 * 24 * HOUR);
  await forAccount(accountId, (tx) => tx.delivery.update({ where, data: { createdAt } }));
  await probe(49);
  expect(await planned()).toEqual([null, 49]);
});

test("what was tried and is no longer kept is ended", async () => {
  const { accountId, tell, at, start, probe } = await givenUp({ status: 500 });
  const old = await tell();
  await probe(49);
  const where = { accountId_id: { accountId, id: old.deliveryId } };
  const createdAt = new Date(start - 13 * 24 * HOUR);
  await forAccount(accountId, (tx) => tx.delivery.update({ where, data: { createdAt } }));
  await deliverWebhook(old, at(49));
  expect((await deliveriesOf(accountId)).at(-1)).toMatchObject({ status: "exhausted", nextAttemptAt: null });
});

test("an attempt that got lost is made again the next day", async () => {
  const { accountId, tell, start, probe } = await givenUp();
  const { deliveryId } = await tell();
  await probe(49);
  const key = `webhooks.deliver:${deliveryId}`;
  await pool().query("delete from graphile_worker._private_jobs where key = $1", [key]);
  await probe(73);
  expect(await deliveryJobs(accountId)).toContainEqual(
    expect.objectContaining({ key, run_at: new Date(start + 73 * HOUR) }),
  );
});

test("a webhook that says 410 is not tried any more, whatever it had said before", async () => {
  const { accountId, webhook, tell, at, probe, planned } = await givenUp({ status: 410 });
  const [first] = [await tell(), await tell()];
  await probe(49);
  await deliverWebhook(first, at(49));
  await tell();
  await probe(73);
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ disabledAt: expect.any(Date), nextProbeAt: null });
  expect((await deliveriesOf(accountId)).at(2)).toMatchObject({ status: "exhausted" });
  expect(await planned()).toEqual([null, null, null]);
});

test("twelve failures within a day, or a success among them, disable nothing", async () => {
  const failures = Array<Reply>(11).fill({ status: 500 });
  const { accountId, webhook, tell } = await listening(
    "transaction",
    { status: 500 },
    ...failures,
    { status: 200 },
    {
      status: 500,
    },
  );
  const start = Date.now();
  const at = (hours: number): Conditions => ({ ...exact, now: () => new Date(start + hours * HOUR) });
  for (let failure = 1; failure <= 12; failure += 1) await deliverWebhook(await tell(), at(failure));
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ failuresInRow: 12, disabledAt: null });
  await deliverWebhook(await tell(), at(23));
  await deliverWebhook(await tell(), at(48));
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ failuresInRow: 1, disabledAt: null });
});

test("a crash after sending and before recording sends again under the same webhook-id", async () => {
  const { accountId, received, tell } = await listening("transaction", { status: 500 }, { status: 200 });
  const job = await tell();
  const crash = () => {
    throw new Error("killed here");
  };

  await expect(deliverWebhook(job, { random: crash })).rejects.toThrow("killed here");
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "pending", attempts: 0 }]);
  await deliverWebhook(job);

  expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "delivered", attempts: 1 }]);
});

test("a live account never reaches this machine, nor a name that leads to it", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  const { url, received, close } = await receiver({ status: 200 });
  closing.push(close);
  const callbacks = [url, `https://rebound.example:${new URL(url).port}/`, "https://[::ffff:7f00:1]/"];
  for (const callback of callbacks) {
    await dispatchEvent(await happen(await makeSale(accountId, { callback: { url: callback } }), "completed"));
  }
  for (const { id } of await deliveriesOf(accountId)) {
    await deliverWebhook({ accountId, deliveryId: id }, { resolve: async () => ["127.0.0.1"] });
  }

  expect((await attemptsMade(accountId)).map(({ error }) => error)).toEqual(Array(3).fill("address_not_allowed"));
  expect(received).toEqual([]);
});

test("a resend asked for while an attempt is under way is not put off by that attempt's failure", async () => {
  const { accountId, webhook, received, tell, close } = await listening("transaction", "hang");
  const { deliveryId } = await tell();

  const underWay = deliverWebhook({ accountId, deliveryId });
  await vi.waitFor(() => expect(received).toHaveLength(1));
  await resendDelivery(accountId, String(webhook.id), deliveryId);
  const [asked] = await deliveriesOf(accountId);
  await close();
  await underWay;

  expect(await attemptsMade(accountId)).toMatchObject([{ attempt: 1, error: "connection_failed" }]);
  expect(await deliveriesOf(accountId)).toMatchObject([{ status: "pending", nextAttemptAt: asked?.nextAttemptAt }]);
  expect(await deliveryJobs(accountId)).toMatchObject([{ run_at: asked?.nextAttemptAt }]);
});

test("a receiver that answers with what it was sent does not put the token into the delivery", async () => {
  const { accountId, webhook, tell } = await listening("cashin", "echo");
  await deliverWebhook(await tell());
  const [attempt] = await attemptsMade(accountId);
  expect(attempt?.responseBody).toContain("Bearer ****");
  expect(attempt?.responseBody).not.toContain(webhook.token);
});

test("no line of the log holds a token, a body or an address", async () => {
  const spies = (["warn", "debug", "info", "error"] as const).map((level) => vi.spyOn(log, level));
  const { webhook, tell } = await listening("cashin", { status: 500, body: "private answer" }, { status: 200 });
  const job = await tell();
  await deliverWebhook(job);
  await deliverWebhook(job);

  const lines = JSON.stringify(spies.flatMap((spy) => spy.mock.calls));
  expect(lines).toContain(job.deliveryId);
  for (const secret of [webhook.token, webhook.secret, webhook.url, "private answer", "000201"]) {
    expect(lines).not.toContain(secret);
  }
  for (const spy of spies) spy.mockRestore();
});
