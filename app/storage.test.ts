import { describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { changeAccount } from "@/lib/accounts/change";
import { countStored, flushStored, freeStorage, readStorage as readStorageOf } from "@/lib/accounts/storage";
import { forAccount, prisma } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { openHost, operationsOf } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
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

/** Makes a seller with a limit of 1 MB that is reached by two deposits with bodies of 600 kB. */
async function makeFull() {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  await change(seller, { storageLimitMb: 1 });
  const large = { no_such_member: "x".repeat(600_000) };
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
  await changeAccount(liveId, { status: "approved" }, { userId: newId() });
  expect(await readStorage(liveId)).toMatchObject({ limit: 102_400 * MB });
});

test("a read, a refusal and a repeat store nothing and count nothing", async () => {
  const seller = await makeAccount();
  const key = newId();
  const used = async () => {
    await flushStored();
    return (await readStorage(seller.accountId)).used;
  };
  const description = "x".repeat(200);
  await cashIn(seller, { description }, key);
  const once = await used();
  expect(once).toBeGreaterThan(2_000);
  expect(once).toBeLessThan(3_000);
  await cashIn(seller, { description }, key);
  await cashIn(seller, { amount: -1, no_such_member: "x".repeat(10_000) });
  await host.ask("GET", `${V1}/balance`, { token: seller.token });
  expect(await used()).toBe(once);
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
  expect(after - used).toBeGreaterThan(2 * 2_000 + 800);
  expect(after - used).toBeLessThan(2 * 2_000 + 2_000);
});

test("counts of many accounts that are written at once add up, and each account is marked at its limit once", async () => {
  const sellers = await Promise.all([makeAccount(), makeAccount(), makeAccount()]);
  for (const seller of sellers) await change(seller, { storageLimitMb: 1 });
  const rounds = Array.from({ length: 20 }, async (_, round) => {
    const order = round % 2 ? sellers : sellers.toReversed();
    for (const { accountId } of order) countStored(accountId, 60_000);
    await flushStored();
  });
  await Promise.all(rounds);
  for (const { accountId } of sellers) {
    expect(await readStorage(accountId)).toEqual({ used: 1_200_000, limit: MB, isFull: true });
  }
});

test("counted bytes are written within seconds", async () => {
  const { accountId } = await makeAccount();
  countStored(accountId, 7);
  await vi.waitFor(async () => expect((await readStorage(accountId)).used).toBe(7), { timeout: 15_000, interval: 100 });
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
    "PATCH /api/partner/v1/subscriptions/[token]/cancel",
    "PATCH /api/partner/v1/subscriptions/[token]/pause",
    "PATCH /api/partner/v1/subscriptions/[token]/reactivate",
    "PATCH /api/partner/v1/subscriptions/[token]/resume",
    "PATCH /api/partner/v1/subscriptions/[token]/suspend",
    "POST /api/dashboard/v1/confirm/address",
    "POST /api/dashboard/v1/confirm/mail",
    "POST /api/partner/v1/public-key/domains/test",
    "POST /api/partner/v1/public-key/regenerate",
    "POST /api/partner/v1/sandbox/clock/advance",
    "POST /api/partner/v1/sandbox/pix/[identifier]/expire",
    "POST /api/partner/v1/sandbox/pix/[identifier]/pay",
    "POST /api/partner/v1/sandbox/subscriptions/[token]/mandate",
    "POST /api/public/v1/card-tokens",
    "PUT /api/partner/v1/webhooks/[id]",
  ]);
});
