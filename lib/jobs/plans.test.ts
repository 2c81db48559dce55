import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { forAccount, transactionOverAll } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { env } from "@/lib/env";
import { registry } from "@/lib/jobs/registry";
import type { Mailer } from "@/lib/mail/port";
import { startMails } from "@/lib/mail/run";
import { writeMails } from "@/lib/mail/write";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { aMail, mailsOf } from "@/lib/testing/mails";
import { call, cashIn, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl, reconnectAt } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { anOrder, aToken } from "@/lib/testing/shop";
import { createWebhook } from "@/lib/webhooks/create";
import { startDeliveries } from "@/lib/webhooks/run";
import { WebhookInput } from "@/lib/webhooks/schema";
import { receiver } from "@/lib/webhooks/testing";

/** The loops do all that is due in the database, and reconcile() compares it as a whole. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
let shop: Awaited<ReturnType<typeof receiver>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  [rail, shop] = await Promise.all([serveRail(), receiver({ status: 200 })]);
});
afterEach(() => use([]));
afterAll(async () => {
  await Promise.all([rail.close(), shop.close()]);
  await drop();
});

const asOwner = (...texts: string[]) =>
  connected(ownerUrl(), async (client) => {
    for (const text of texts) await client.query(text);
  });

const METHODS = ["nestloop", "hashjoin", "mergejoin", "material", "memoize", "indexscan", "bitmapscan", "sort"];

/** Lets new connections plan without some of PostgreSQL's methods. */
async function use(without: readonly string[]) {
  const database = new URL(ownerUrl()).pathname.slice(1);
  const set = METHODS.map((method) => {
    return `alter database ${database} set enable_${method} = ${without.includes(method) ? "off" : "on"}`;
  });
  await asOwner(...set);
  await reconnectAt(env.DATABASE_PROGRAM_URL);
}

/** Makes one of everything that the loops find due. */
async function makeDue() {
  const [seller, recipient] = [await makeAccount({ feeBasisPoints: 200 }), await makeAccount()];
  const { account, accountId } = seller;
  const webhook = WebhookInput.parse({ title: "Loja", url: `${shop.url}/${accountId}`, event: "transaction" });
  await createWebhook(account, webhook, call());
  const split = [{ user_id: recipient.clientId, percentage: 10 }];
  const [paid, late] = [
    (await requestDeposit(account, cashIn({ split }), call())).identifier,
    (await requestDeposit(account, cashIn(), call())).identifier,
  ];
  const order = ChargeBody.parse(anOrder(await aToken(seller), { split }));
  const { identifier: charged } = await chargeCard(account, order, call());
  await aToken(seller);
  const [past, long] = [new Date(Date.now() - 1_000), new Date(Date.now() - 3 * 86_400_000)];
  const code = await forAccount(accountId, async (tx) => {
    const key = (id: string) => ({ where: { accountId_id: { accountId, id } } });
    await tx.transaction.update({ ...key(late), data: { expiresAt: past } });
    await tx.transaction.update({ ...key(charged), data: { settleAt: past } });
    await tx.call.update({ ...key(charged), data: { doneAt: null, dueAt: past } });
    await tx.cardToken.updateMany({ where: { spentAt: null }, data: { expiresAt: past } });
    await tx.cardToken.updateMany({ where: { spentAt: { not: null } }, data: { expiresAt: long } });
    return (await tx.transaction.findUniqueOrThrow(key(paid))).pixCode ?? "";
  });
  await railFor("sandbox")?.pay?.({ code });
  return { accountId, recipientId: recipient.accountId, paid, late, charged };
}

/** Mails of nobody, of an account and of two at once; and a mailer that only takes them. */
async function makeMails(...accounts: string[]) {
  const mails = [aMail(), ...accounts.flatMap((accountId) => [aMail({ accountId }), aMail({ accountId })])];
  await transactionOverAll((query) => writeMails(query, mails));
  return mails.map(({ intent }) => intent);
}
const taker: Mailer = { name: "inbox", keeps: true, send: async () => ({ error: null }) };

/** Runs every loop until nothing is due, also what another loop made due. */
async function workOff() {
  for (let round = 0; round < 3; round++) {
    await asOwner("analyze");
    for (const { run } of registry.loops) while (await run());
  }
}

test.each([
  [[]],
  [["nestloop"]],
  [["nestloop", "hashjoin"]],
  [["hashjoin", "mergejoin"]],
  [["indexscan", "bitmapscan"]],
  [["material", "memoize", "sort"]],
])("a worker finds its rows in tables known to be small, also with plans without %j", async (without) => {
  await use(without);
  const { accountId, recipientId, paid, late, charged } = await makeDue();
  const intents = await makeMails(accountId, recipientId);
  const failed: unknown[] = [];
  const stop = startDeliveries((error) => void failed.push(error));
  const stopCalls = registry.attempts.find(({ name }) => name === "calls")?.start((error) => void failed.push(error));
  const stopMails = startMails((error) => void failed.push(error), { via: taker });
  try {
    await workOff();
    const mine = () => shop.received.filter(({ path }) => path === `/${accountId}`);
    await expect.poll(() => mine().length, { timeout: 20_000 }).toBe(6);
    const sent = async () => (await mailsOf(...intents)).filter(({ status }) => status === "sent").length;
    await expect.poll(sent, { timeout: 20_000 }).toBe(intents.length);
    const open = () => forAccount(accountId, (tx) => tx.call.count({ where: { doneAt: null } }));
    await expect.poll(open, { timeout: 20_000 }).toBe(0);
  } finally {
    await Promise.all([stop(), stopCalls?.(), stopMails()]);
  }
  expect(failed).toEqual([]);
  const { sales, calls, tokens, counted } = await forAccount(accountId, async (tx) => ({
    sales: await tx.transaction.findMany({ orderBy: { id: "asc" } }),
    calls: await tx.call.findMany(),
    tokens: await tx.cardToken.findMany(),
    counted: await tx.rollup.count(),
  }));
  expect(sales).toMatchObject([
    { id: paid, status: "completed" },
    { id: late, status: "expired" },
    { id: charged, status: "completed", settledAt: expect.any(Date) },
  ]);
  expect(calls).toMatchObject([{ doneAt: expect.any(Date) }]);
  expect(tokens).toMatchObject([{ sealedCard: null }]);
  expect(counted).toBeGreaterThan(0);
  for (const id of [accountId, recipientId]) {
    expect(await forAccount(id, (tx) => tx.ledgerTail.count({ where: { accountId: id } }))).toBe(0);
  }
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
});
