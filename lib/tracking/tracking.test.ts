import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount, runPrepared, transactionOverAll } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { env } from "@/lib/env";
import type { Happened } from "@/lib/events/consume";
import { newId, sha256 } from "@/lib/ids";
import { openHost } from "@/lib/testing/http";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { type Claimed, claimOrders } from "@/lib/tracking/claim";
import { readTracking } from "@/lib/tracking/read";
import { deactivateTracking, saveToken } from "@/lib/tracking/save";
import { sendOrder } from "@/lib/tracking/send";
import { trackSales } from "@/lib/tracking/track-sales";
import { trackingFor } from "@/lib/tracking/trackers";
import { utmifyOrder } from "@/lib/tracking/utmify";

openRail();
const host = openHost(routes);
let drop: () => Promise<void>;
const { SIMULATOR_URL, TRACKING_URL } = env;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(async () => {
  Object.assign(env, { SIMULATOR_URL, TRACKING_URL });
  await drop();
});

const utm = { source: "google", medium: null, campaign: "natal", term: null, content: null };

/** A seller whose integration is active, with a token of its own. */
async function tracked(token = `token-${newId()}`) {
  Object.assign(env, { SIMULATOR_URL: host.url });
  const seller = await makeAccount();
  await saveToken(seller.account, { token }, call());
  return { seller, token };
}

async function sale({ account }: Made) {
  const client = { name: "Ana", email: "ana@example.com", cpf: "52998224725" };
  return (await requestDeposit(account, cashIn({ utm, src: "a", client }), call())).identifier;
}

async function pay({ account }: Made, id: string) {
  const { end_to_end_id: endToEndId } = await simulatePayment(account, { id }, call());
  await completeDeposit({ provider: "simulator", endToEndId });
}

/** All events of an account come, twice at once. */
async function consume({ accountId }: Made) {
  const events = await forAccount(accountId, (tx) =>
    tx.event.findMany({ where: { accountId }, orderBy: { id: "asc" } }),
  );
  const all = () => transactionOverAll((query) => trackSales(query, events as Happened[]));
  await Promise.all([all(), all()]);
}

const claim = (worker = newId()) => claimOrders(worker, 20, { served: [], full: [] }).then(({ claimed }) => claimed);

/** Sends what is due of an account until nothing is. */
async function sendAll({ accountId }: Made) {
  for (;;) {
    const worker = newId();
    const mine = (await claim(worker)).filter((one: Claimed) => one.accountId === accountId);
    if (mine.length === 0) return;
    for (const one of mine) await sendOrder(worker, one);
  }
}

const keptFor = (token: string) =>
  runPrepared<{ order_id: string; received: number; body: { transaction: object; tracking: object } }>(
    "t-orders",
    "select order_id, received, body from simulator_orders where token_hash = $1 order by order_id",
    [sha256(token).toString("hex")],
  );

const ordersOf = async ({ accountId }: Made) => (await readTracking(accountId)).data.orders;

test("each change of a sale is sent once, in its order, with the values that it came with, however often its event comes", async () => {
  const { seller, token } = await tracked();
  const id = await sale(seller);
  await pay(seller, id);
  await consume(seller);
  await consume(seller);
  await sendAll(seller);
  await sendAll(seller);
  const [kept] = await keptFor(token);
  expect(kept).toMatchObject({ order_id: id, received: 2 });
  expect(kept?.body).toMatchObject({
    transaction: { status: "completed", previous_status: "pending" },
    tracking: { utm: { source: "google", campaign: "natal" }, src: "a" },
  });
  expect(await ordersOf(seller)).toMatchObject([
    { reference_id: id, status: "completed", answer_status: 200, attempts: 1, error: null, next_attempt_at: null },
    { reference_id: id, status: "pending", answer_status: 200, attempts: 1, error: null, next_attempt_at: null },
  ]);
});

test("an account without a token sends nothing, and one that deactivated it sends no more; its token is gone", async () => {
  const [{ seller, token }, other] = [await tracked(), await makeAccount()];
  await sale(other);
  await consume(other);
  expect(await ordersOf(other)).toEqual([]);
  await sale(seller);
  await consume(seller);
  await deactivateTracking(seller.account, call());
  expect((await deactivateTracking(seller.account, call())).data).toMatchObject({ active: false, last4: null });
  await sendAll(seller);
  expect(await keptFor(token)).toEqual([]);
  expect(await ordersOf(seller)).toMatchObject([{ error: "deactivated", next_attempt_at: null }]);
});

test("a service that refuses is tried again, later, with its answer shown, and another account's orders go on", async () => {
  const [refused, fine] = [await tracked(`invalid-${newId()}`), await tracked()];
  for (const { seller } of [refused, fine]) {
    await sale(seller);
    await consume(seller);
    await sendAll(seller);
  }
  const [order] = await ordersOf(refused.seller);
  expect(order).toMatchObject({ attempts: 1, answer_status: 401, error: "http_error", sent_at: null });
  expect(Date.parse(order?.next_attempt_at ?? "")).toBeGreaterThan(Date.now());
  expect(await keptFor(fine.token)).toHaveLength(1);
});

test("a service that is away leaves the order to be sent again, and what was claimed by a worker that died is claimed by another", async () => {
  const { seller, token } = await tracked();
  await sale(seller);
  await consume(seller);
  Object.assign(env, { SIMULATOR_URL: "http://127.0.0.1:9" });
  await sendAll(seller);
  expect((await ordersOf(seller))[0]).toMatchObject({ attempts: 1, answer_status: 0, sent_at: null });
  Object.assign(env, { SIMULATOR_URL: host.url });
  const { accountId } = seller;
  const due = (data: object) =>
    forAccount(accountId, (tx) => tx.trackingOrder.updateMany({ where: { accountId }, data }));
  await due({ nextAttemptAt: new Date(0) });
  expect((await claim()).filter((one) => one.accountId === accountId)).toHaveLength(1);
  expect((await claim()).filter((one) => one.accountId === accountId)).toHaveLength(0);
  await due({ claimedUntil: new Date(0) });
  await sendAll(seller);
  expect(await keptFor(token)).toMatchObject([{ received: 1 }]);
});

test("a sandbox never reaches TRACKING_URL, and a live account without it cannot save a token", async () => {
  const reached = vi.fn();
  const server = createServer((_, response) => {
    reached();
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  onTestFinished(() => void server.close());
  Object.assign(env, { TRACKING_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const { seller } = await tracked();
  await sale(seller);
  await consume(seller);
  await sendAll(seller);
  expect(reached).not.toHaveBeenCalled();
  Object.assign(env, { TRACKING_URL: undefined });
  expect(trackingFor("live")).toBeNull();
  const live = { ...seller.account, mode: "live" as const };
  await expect(saveToken(live, { token: "12345678" }, call())).rejects.toMatchObject({
    code: "tracking_not_configured",
  });
});

test("the routes save, show and deactivate, the same twice, and no answer has the token", async () => {
  const seller = await makeAccount();
  const token = `secret-${newId()}`;
  const path = "/api/partner/v1/tracking";
  const ask = (method: "GET" | "POST", at: string, body?: object) =>
    host.ask(method, at, { token: seller.token, body });
  const answers = [
    await ask("POST", path, { token }),
    await ask("POST", path, { token }),
    await ask("GET", path),
    await ask("POST", `${path}/deactivate`, {}),
    await ask("POST", `${path}/deactivate`, {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.map(({ json }) => (json.data as { active: boolean }).active)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  for (const { text } of answers) expect(text).not.toContain(token);
  expect((await ask("POST", path, { token: "a b" })).status).toBe(422);
  expect((await host.ask("GET", path)).status).toBe(401);
});

test("an order in UTMify's form has its words, cents and instants", () => {
  const event = {
    ...{ event: "transaction.updated", event_id: newId() },
    transaction: {
      ...{ reference_id: "r", status: "completed", previous_status: "pending", payment_method: "pix", origin: "api" },
      ...{ description: "Camisa", currency: "BRL", amount: 19.99, net_amount: 18.8, refused_reason: null },
      ...{ end_to_end_id: null, created_at: "2026-01-31T02:30:01.000000Z", updated_at: "", refunded_at: null },
      paid_at: "2026-01-31T02:31:00.000000Z",
    },
    customer: { reference_id: null, name: "Ana", email: "a@b.co", document: "1", phone: null },
    checkout: { reference_id: null, name: null, items: [] },
    payment: { pix: null, card: null },
    tracking: { utm: { source: "google" }, client_ip: "203.0.113.7", user_agent: null, sck: "s" },
  } as const;
  const order = utmifyOrder({ token: "", isTest: false, signal: new AbortController().signal, event: event as never });
  expect(order).toMatchObject({
    ...{ orderId: "r", paymentMethod: "pix", status: "paid", refundedAt: null, isTest: false },
    ...{ createdAt: "2026-01-31 02:30:01", approvedDate: "2026-01-31 02:31:00" },
    customer: { country: "BR", ip: "203.0.113.7" },
    products: [{ id: "r", name: "Camisa", quantity: 1, priceInCents: 1_999 }],
    trackingParameters: { utm_source: "google", utm_term: null, src: null, sck: "s" },
    commission: { totalPriceInCents: 1_999, gatewayFeeInCents: 119, userCommissionInCents: 1_880 },
  });
});
