import { describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { countWritten } from "@/lib/accounts/count-events";
import { countStored, flushStored, freeStorage, readStorage as readStorageOf, rowBytes } from "@/lib/accounts/storage";
import { forAccount, prisma, transactionOverAll } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { updateSeller } from "@/lib/sellers/update";
import { aPayer, makeLink, personOf } from "@/lib/testing/checkout";
import { openHost, operationsOf } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { aCard, makeShop, SHOP } from "@/lib/testing/shop";
import { aPlan } from "@/lib/testing/subscriptions";
import { tracesOf } from "@/lib/testing/traces";
import { dispatchEvent, happen } from "@/lib/webhooks/testing";

const host = openHost(routes);
const V1 = "/api/partner/v1";
const MB = 1_048_576;
const readStorage = (id: string) => forAccount(id, (tx) => readStorageOf(tx, id));
const FULL = { status: 422, json: { error: "storage_limit_reached", message: expect.any(String) } };

const post = ({ token }: Made, path: string, body: object, key?: string) =>
  host.ask("POST", path, { token, body, ...(key && { key }) });
const cashIn = (seller: Made, more: object = {}, key?: string) =>
  post(seller, `${V1}/cash-in`, { amount: 10, ...more }, key);

const change = ({ accountId }: Made, data: { storageLimitMb: number }) =>
  forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data }));

/** Makes a seller with a limit of 1 MB that is reached by two deposits with bodies of 530 kB. */
async function makeFull() {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  await change(seller, { storageLimitMb: 1 });
  const large = { no_such_member: "x".repeat(530_000) };
  const key = newId();
  const first = await cashIn(seller, large, key);
  expect([first.status, (await cashIn(seller, large)).status]).toEqual([200, 200]);
  await flushStored();
  return { seller, first, repeat: () => cashIn(seller, large, key) };
}

describe("an account at its storage limit", () => {
  test("is refused only at writes that would store more, and other accounts are not", async () => {
    const { seller, first } = await makeFull();
    const before = await tracesOf(seller.accountId);
    for (const [path, body] of [
      ["cash-in", { amount: 10 }],
      ["credentials", { name: "Loja" }],
      ["webhooks", { title: "Loja", url: "http://localhost:9/", event: "all" }],
      ["public-key/domains", { origin: "https://loja.example" }],
    ] as const) {
      expect(await post(seller, `${V1}/${path}`, body, newId()), path).toMatchObject(FULL);
    }
    expect(await post(seller, "/v1/gateway/api", {})).toMatchObject({ status: 422, json: { errors: {} } });
    expect(await tracesOf(seller.accountId)).toEqual(before);

    expect(await post(seller, `${V1}/sandbox/clock/advance`, { days: 1 })).toMatchObject(FULL);
    for (const path of [`${V1}/balance`, `${V1}/transaction/${first.json.identifier}`, `${V1}/webhooks`]) {
      expect((await host.ask("GET", path, { token: seller.token })).status, path).toBe(200);
    }
    const { clientId: client_id, clientSecret: client_secret } = seller;
    expect((await host.ask("POST", `${V1}/auth-token`, { body: { client_id, client_secret } })).status).toBe(200);
    expect((await cashIn(await makeAccount())).status).toBe(200);
    expect((await host.ask("DELETE", `${V1}/credentials/${client_id}`, { token: seller.token })).status).toBe(200);
  });

  test("is still paid, because credits never wait, and a repeat under a key gets its first answer", async () => {
    const { seller, first, repeat } = await makeFull();
    const { identifier } = first.json;
    const paid = await post(seller, `${V1}/sandbox/pix/${identifier}/pay`, {});
    await completeDeposit({ provider: "simulator", endToEndId: String(paid.json.end_to_end_id) });
    const balance = await host.ask("GET", `${V1}/balance`, { token: seller.token });
    expect(balance.json).toMatchObject({ balance: "10.00" });
    expect(await repeat()).toMatchObject({ status: 200, text: first.text });
  });

  test("is not logged, or its reads would fill the disk", async () => {
    const { seller } = await makeFull();
    const rows = () => forAccount(seller.accountId, (tx) => tx.requestLog.count());
    await flushRequestLog();
    const before = await rows();
    for (let asked = 0; asked < 3; asked += 1) await host.ask("GET", `${V1}/balance`, { token: seller.token });
    await flushRequestLog();
    expect(await rows()).toBe(before);
  });

  test("may write nothing any more a tenth above it, until it is freed", async () => {
    const { seller, first } = await makeFull();
    const expire = () => post(seller, `${V1}/sandbox/pix/${first.json.identifier}/expire`, {});
    countStored(seller.accountId, MB / 5);
    await flushStored();
    expect(await expire()).toMatchObject(FULL);
    await change(seller, { storageLimitMb: 3 });
    await freeStorage();
    expect((await expire()).status).toBe(200);
  });

  test("may store again when its limit is raised", async () => {
    const { seller } = await makeFull();
    await freeStorage();
    expect(await cashIn(seller)).toMatchObject(FULL);
    await change(seller, { storageLimitMb: 2 });
    await freeStorage();
    expect((await cashIn(seller)).status).toBe(200);
  });

  test("may store again when the days have passed", async () => {
    const { seller } = await makeFull();
    await forAccount(
      seller.accountId,
      (tx) => tx.$executeRaw`update account_storage set day = day - 40 where account_id = ${seller.accountId}::uuid`,
    );
    await freeStorage();
    expect((await cashIn(seller)).status).toBe(200);
  });
});

test("a new account may store 1 GB in thirty days, and an approved live one a hundred", async () => {
  const { accountId: sandboxId } = await makeAccount();
  const { accountId: liveId } = await prisma().membership.findFirstOrThrow({ where: { sandboxId } });
  for (const id of [sandboxId, liveId]) {
    expect(await readStorage(id)).toMatchObject({ limit: 1_024 * MB, isFull: false });
  }
  await updateSeller({ id: liveId, status: "approved" });
  expect(await readStorage(liveId)).toMatchObject({ limit: 102_400 * MB });
});

test("a read, a refusal and a repeat store a row of the log and count it, and nothing else", async () => {
  const seller = await makeAccount();
  const key = newId();
  const used = async () => {
    await flushStored();
    return (await readStorage(seller.accountId)).used;
  };
  const description = "x".repeat(200);
  await cashIn(seller, { description }, key);
  const once = await used();
  expect(once).toBeGreaterThan(1_000);
  await cashIn(seller, { description }, key);
  await cashIn(seller, { amount: -1, no_such_member: "x".repeat(10_000) });
  await host.ask("GET", `${V1}/balance`, { token: seller.token });
  expect((await used()) - once).toBeGreaterThan(3 * 150);
  expect((await used()) - once).toBeLessThan(3 * 250);
});

test("deliveries count: a record for each receiver, and the body once", async () => {
  const seller = await makeAccount();
  const hook = { title: "Loja", url: "http://localhost:9/", event: "transaction" };
  for (const title of ["A", "B"]) await post(seller, `${V1}/webhooks`, { ...hook, title });
  const made = await cashIn(seller, { description: "x".repeat(255) });
  await flushStored();
  const { used } = await readStorage(seller.accountId);
  const job = await happen({ accountId: seller.accountId, id: String(made.json.identifier) }, "pending");
  await dispatchEvent(job);
  await dispatchEvent(job); // a second dispatch makes no delivery
  await flushStored();
  const { used: after } = await readStorage(seller.accountId);
  expect(after - used).toBeGreaterThan(2 * rowBytes.delivery + 800);
  expect(after - used).toBeLessThan(2 * rowBytes.delivery + 2_000);
});

describe("what anonymous visitors cause", () => {
  const CHECKOUT = "/api/public/v1/checkout";
  const pay = (link: string) => host.ask("POST", `${CHECKOUT}/${link}/pay`, { body: { ...aPayer, method: "pix" } });
  const counted = ({ accountId }: Made) =>
    forAccount(accountId, (tx) => tx.accountStorage.findFirst({ where: { accountId } }));
  const consume = async ({ accountId }: Made) => {
    const events = await forAccount(accountId, (tx) =>
      tx.event.findMany({ where: { accountId, subject: { in: ["transaction", "subscription"] } } }),
    );
    const done = await transactionOverAll((query) => countWritten(query, events, () => {}));
    done?.();
    await flushStored();
  };

  test("is counted apart: a link's codes and what follows, an enrolment, a tokenized card", async () => {
    const seller = await makeShop();
    const [link, plan] = [await makeLink(seller), await aPlan(seller)];
    await flushStored();
    const before = await counted(seller);
    await pay(link);
    await host.ask("POST", `${CHECKOUT}/${plan}/enroll`, { body: { ...personOf(7), attempt: newId() } });
    const headers = { "x-public-key": seller.key, origin: SHOP };
    expect((await host.ask("POST", "/api/public/v1/card-tokens", { body: aCard(), headers })).status).toBe(201);
    await consume(seller);
    const after = await counted(seller);
    expect(after?.bytes).toBe(before?.bytes);
    expect(Number(after?.visitorBytes) - Number(before?.visitorBytes)).toBeGreaterThan(10_000);
  });

  test("ends at a bound of its own, which stops neither the seller's API nor what was begun", async () => {
    const seller = await makeShop();
    await change(seller, { storageLimitMb: 1 });
    const [link, plan] = [await makeLink(seller), await aPlan(seller)];
    const begun = await pay(link);
    countStored(seller.accountId, MB / 10, "visitors");
    await flushStored();
    expect(await pay(link)).toMatchObject({ status: 503, json: { error: "rail_unavailable" } });
    const enrol = await host.ask("POST", `${CHECKOUT}/${plan}/enroll`, { body: { ...personOf(8), attempt: newId() } });
    expect(enrol).toMatchObject({ status: 503, json: { error: "rail_unavailable" } });
    const headers = { "x-public-key": seller.key, origin: SHOP };
    const tokenized = await host.ask("POST", "/api/public/v1/card-tokens", { body: aCard(), headers });
    expect(tokenized).toMatchObject({ status: 429, json: { error: "rate_limit_exceeded" } });
    expect((await cashIn(seller)).status).toBe(200);
    const { payment } = begun.json.data as { payment: string };
    const paid = await post(seller, `${V1}/sandbox/pix/${payment}/pay`, {});
    await completeDeposit({ provider: "simulator", endToEndId: String(paid.json.end_to_end_id) });
    const { json } = await host.ask("GET", `${V1}/transaction/${payment}`, { token: seller.token });
    expect(json).toMatchObject({ data: { status: "completed" } });

    await forAccount(
      seller.accountId,
      (tx) => tx.$executeRaw`update account_storage set day = day - 1 where account_id = ${seller.accountId}::uuid`,
    );
    await freeStorage();
    expect((await pay(link)).status, "the next day").toBe(200);
  });

  test("makes no row of a limit for a payment that does not exist", async () => {
    const link = await makeLink(await makeAccount());
    const made = newId();
    const { status } = await host.ask("GET", `${CHECKOUT}/${link}/status?payment=${made}`);
    expect(status).toBe(404);
    expect(await prisma().rateLimit.count({ where: { key: { endsWith: made } } })).toBe(0);
  });
});

test("counts of many accounts that are written at once add up, and each account is marked at its limit once", async () => {
  const sellers = await Promise.all([makeAccount(), makeAccount(), makeAccount()]);
  for (const seller of sellers) await change(seller, { storageLimitMb: 1 });
  const before: number[] = [];
  for (const seller of sellers) before.push(await usedBy(seller));
  const rounds = Array.from({ length: 20 }, async (_, round) => {
    const order = round % 2 ? sellers : sellers.toReversed();
    for (const { accountId } of order) countStored(accountId, 60_000);
    await flushStored();
  });
  await Promise.all(rounds);
  for (const [place, { accountId }] of sellers.entries()) {
    const used = Number(before[place]) + 1_200_000;
    expect(await readStorage(accountId)).toEqual({ used, limit: MB, isFull: true });
  }
});

/** What is counted of an account so far, which was made with a credential. */
async function usedBy({ accountId }: Made): Promise<number> {
  await flushStored();
  return (await readStorage(accountId)).used;
}

test("counted bytes are written within seconds", async () => {
  const made = await makeAccount();
  const { accountId } = made;
  const used = (await usedBy(made)) + 7;
  countStored(accountId, 7);
  const isCounted = async () => expect((await readStorage(accountId)).used).toBe(used);
  await vi.waitFor(isCounted, { timeout: 15_000, interval: 100 });
});

test("Home shows the used storage from 80 % on", async () => {
  const seller = await makeAccount();
  await change(seller, { storageLimitMb: 1 });
  const read = async () => {
    await flushStored();
    const { json } = await host.ask("GET", "/api/dashboard/v1/overview", { token: seller.token });
    return (json.data as { storage: object }).storage;
  };
  expect(await read()).toEqual({ percent: 0, limit_mb: 1, is_full: false });
  countStored(seller.accountId, Math.ceil(0.8 * MB));
  expect(await read()).toEqual({ percent: 80, limit_mb: 1, is_full: false });
  countStored(seller.accountId, MB / 2);
  expect(await read()).toEqual({ percent: 100, limit_mb: 1, is_full: true });
});

test("a full account may only call routes that store nothing for long or serve existing money", () => {
  const open = operationsOf(routes).flatMap(({ method, path, contract }) =>
    contract.evenIfFull ? [`${method} ${path}`] : [],
  );
  expect(open.sort()).toEqual([
    "DELETE /api/partner/v1/disputes/[code]/files/[id]",
    "PATCH /api/dashboard/v1/account",
    "PATCH /api/partner/v1/subscriptions/[token]/cancel",
    "PATCH /api/partner/v1/subscriptions/[token]/pause",
    "PATCH /api/partner/v1/subscriptions/[token]/reactivate",
    "PATCH /api/partner/v1/subscriptions/[token]/resume",
    "PATCH /api/partner/v1/subscriptions/[token]/suspend",
    "POST /api/dashboard/v1/account/closing",
    "POST /api/dashboard/v1/confirm/address",
    "POST /api/dashboard/v1/confirm/mail",
    "POST /api/dashboard/v1/customer-data",
    "POST /api/dashboard/v1/customer-data/erasures",
    "POST /api/dashboard/v1/customer-data/export",
    "POST /api/dashboard/v1/team/leave",
    "POST /api/partner/v1/disputes/[code]/defence",
    "POST /api/partner/v1/public-key/domains/test",
    "POST /api/partner/v1/public-key/regenerate",
    "POST /api/partner/v1/refunds/[code]/cancel",
    "POST /api/partner/v1/sandbox/cards/[identifier]/chargeback",
    "POST /api/partner/v1/sandbox/cash-out/[id]/confirm",
    "POST /api/partner/v1/sandbox/cash-out/[id]/fail",
    "POST /api/partner/v1/sandbox/disputes/[code]/cancel",
    "POST /api/partner/v1/sandbox/disputes/[code]/lose",
    "POST /api/partner/v1/sandbox/disputes/[code]/win",
    "POST /api/partner/v1/sandbox/pix/[identifier]/expire",
    "POST /api/partner/v1/sandbox/pix/[identifier]/med",
    "POST /api/partner/v1/sandbox/pix/[identifier]/pay",
    "POST /api/partner/v1/sandbox/refunds/[code]/complete",
    "POST /api/partner/v1/sandbox/refunds/[code]/fail",
    "POST /api/partner/v1/sandbox/reset",
    "POST /api/partner/v1/sandbox/subscriptions/[token]/mandate",
    "POST /api/partner/v1/webhooks/[id]/rotate-secret",
    "POST /api/partner/v1/webhooks/[id]/test",
    "POST /api/partner/v1/withdrawals/[id]/cancel",
    "POST /api/partner/v1/withdrawals/[id]/reject",
    "PUT /api/partner/v1/webhooks/[id]",
  ]);
});
