import { afterAll, beforeAll, expect, test } from "vitest";
import { readBalance, requireContext } from "@/lib/accounts/read";
import { flushStored, readStorage } from "@/lib/accounts/storage";
import { billDue } from "@/lib/billing/bill-due";
import { mintToken } from "@/lib/credentials/mint-token";
import { asSystem, forAccount, prisma } from "@/lib/db";
import { expireDueDeposits } from "@/lib/deposits/expire";
import { requestDeposit } from "@/lib/deposits/request";
import { eventsConsumer } from "@/lib/events/consume";
import { newId, sha256 } from "@/lib/ids";
import { readPublicKey } from "@/lib/public-keys/public-key";
import { readQueue } from "@/lib/queue/read";
import { reconcile } from "@/lib/reconcile/reconcile";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { countEvents } from "@/lib/rollups/count";
import { advanceClock } from "@/lib/sandbox/advance";
import { resetSandbox } from "@/lib/sandbox/reset";
import { untilWaitedFor } from "@/lib/testing/locks";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { crashAt } from "@/lib/testing/program";
import { serveRail } from "@/lib/testing/rail";
import { makeShop, SHOP } from "@/lib/testing/shop";
import { advance, anActive, aPlan, makeDue, nowOf, payCode, saleOf, shown } from "@/lib/testing/subscriptions";
import { awaitingWithdrawal } from "@/lib/testing/withdrawals";
import { createWebhook } from "@/lib/webhooks/create";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliverOnce, receiver } from "@/lib/webhooks/testing";

/** reconcile() reads all rows and loops take all that is due, so these tests have a database of their own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterAll(async () => {
  await rail.close();
  await drop();
});

const reset = ({ account }: Made) => resetSandbox(account, call());
const events = eventsConsumer({ deliveries: dispatchEvents, counts: countEvents });
const rowsOf = (accountId: string) =>
  forAccount(accountId, async (tx) => ({
    sales: await tx.transaction.count(),
    subscriptions: await tx.subscription.count(),
    plans: await tx.plan.count(),
    webhooks: await tx.webhook.count(),
    withdrawals: await tx.withdrawal.count(),
    postings: await tx.ledgerPosting.count({ where: { accountId } }),
  }));

const plannedOf = (accountId: string) =>
  forAccount(accountId, (tx) => tx.delivery.findMany({ where: { accountId, nextAttemptAt: { not: null } } }));

const waitingRefunds = async () =>
  (await readQueue({ mode: "sandbox" })).data.find(({ name }) => name === "refunds")?.count;

/** A sandbox in which much has happened: a sale, a subscription, a withdrawal that waits, a webhook, and a clock ahead. */
async function aUsedSandbox() {
  const made = await makeShop({ available: 500_000 });
  const shop = await receiver({ status: 200 });
  await createWebhook(made.account, WebhookInput.parse({ title: "Loja", url: shop.url, event: "all" }), call());
  const token = await anActive(made, await aPlan(made));
  await awaitingWithdrawal(made);
  await advance(made, 3);
  const { identifier: open } = await requestDeposit(made.account, cashIn({ webhook_url: shop.url }), call());
  return { made, shop, token, open };
}

test("a sandbox begins anew: all is gone but credentials and settings, and its clock is at the present", async () => {
  const { made, shop } = await aUsedSandbox();
  const { accountId, clientId: client_id, clientSecret: client_secret } = made;
  await forAccount(accountId, (tx) =>
    tx.account.update({ where: { id: accountId }, data: { withdrawalFee: 150n, supportEmail: "ajuda@loja.example" } }),
  );
  await flushStored();
  const stored = () => forAccount(accountId, (tx) => readStorage(tx, accountId));
  const [was, { used }] = [await requireContext(accountId), await stored()];
  const { account_id: id } = await reset(made);
  expect(id).not.toBe(accountId);

  const { clockOffsetMs, ...is } = await requireContext(id);
  expect({ ...is, clockOffsetMs: was.clockOffsetMs }).toEqual({ ...was, id });
  expect(clockOffsetMs).toBe(0);
  expect(used).toBeGreaterThan(0);
  expect(
    (await forAccount(id, (tx) => readStorage(tx, id))).used,
    "what it has stored is still there",
  ).toBeGreaterThanOrEqual(used);
  const settings = await forAccount(id, (tx) => tx.account.findUniqueOrThrow({ where: { id } }));
  expect(settings).toMatchObject({ withdrawalFee: 150n, supportEmail: "ajuda@loja.example" });
  expect(Object.values(await rowsOf(id))).toEqual([0, 0, 0, 0, 0, 0]);
  expect((await readBalance(id)).balance).toBe("0.00");
  const { data } = await readPublicKey(is as Made["account"]);
  expect([data.key, data.domains.map(({ origin }) => origin)]).toEqual([made.key, [SHOP]]);
  await mintToken({ client_id, client_secret, ip: "127.0.0.1" });
  const tokens = await prisma().accessToken.findMany({ where: { clientId: client_id } });
  expect(new Set(tokens.map((token) => token.accountId))).toEqual(new Set([id]));

  const live = await prisma().membership.findFirstOrThrow({ where: { sandboxId: id } });
  const former = await forAccount(accountId, (tx) => tx.account.findUniqueOrThrow({ where: { id: accountId } }));
  expect(former).toMatchObject({ status: "closed", twinId: null, formerTwinId: live.accountId });
  for (const each of [accountId, id]) {
    const told = await forAccount(each, (tx) => tx.event.findMany({ where: { accountId: each, subject: "sandbox" } }));
    expect(told).toMatchObject([{ type: "sandbox.reset", record: { account_id: id } }]);
  }
  await shop.close();
});

test("what was due in the former sandbox charges nobody and reaches nobody, and a payment that comes late hurts nothing", async () => {
  const { made, shop, token, open } = await aUsedSandbox();
  const { accountId } = made;
  while (await events.consume());
  const sale = (await shown(made, token)).charges[0]?.payment.identifier ?? "";
  await requestRefund((await nowOf(made)).account, { ...RefundBody.parse({ reason: "other" }), id: sale }, call());
  expect(await waitingRefunds()).toBe(1);
  await reset(made);
  expect(await waitingRefunds(), "for the staff").toBe(0);
  const [sent, sales] = [shop.received.length, (await rowsOf(accountId)).sales];

  await makeDue(made, token);
  await billDue()();
  expect((await rowsOf(accountId)).sales).toBe(sales);
  await payCode(made, open);
  expect((await saleOf(accountId, open)).status).toBe("completed");
  while (await expireDueDeposits());
  while (await events.consume());
  const planned = await plannedOf(accountId);
  expect(planned.length).toBeGreaterThan(0);
  for (const { id: deliveryId } of planned) await deliverOnce({ accountId, deliveryId });
  expect(shop.received).toHaveLength(sent);
  expect(await plannedOf(accountId)).toEqual([]);
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
  await shop.close();
});

test("what others share with it goes on with the new account, also by the client id", async () => {
  const [seller, recipient] = [await makeAccount(), await makeAccount()];
  const plan = await aPlan(seller);
  await forAccount(seller.accountId, (tx) =>
    tx.planSplit.create({
      data: {
        ...{ accountId: seller.accountId, planId: plan, mode: "sandbox", email: recipient.email, name: "Sócio" },
        ...{ basisPoints: 1_000, status: "accepted", recipientId: recipient.accountId, acceptedAt: new Date() },
        ...{ linkHash: new Uint8Array(sha256(newId())), invitedAt: new Date() },
      },
    }),
  );
  const { account_id: id } = await reset(recipient);
  await anActive(seller, plan);
  const split = [{ user_id: recipient.clientId, percentage: 50 }];
  const { identifier } = await requestDeposit(seller.account, cashIn({ split }), call());
  await payCode(seller, identifier);
  const shares = await forAccount(seller.accountId, (tx) => tx.share.findMany());
  expect(shares.map(({ recipientId }) => recipientId)).toEqual([id, id]);
  expect(Number((await readBalance(id)).balance)).toBeGreaterThan(40);
});

test("of two resets at once one makes the new sandbox, and the other answers it", async () => {
  const made = await makeAccount();
  const [one, other] = await Promise.all([reset(made), reset(made)]);
  expect(one).toEqual(other);
  expect(await reset(made), "a call that was overtaken by a reset").toEqual(one);
  const live = await prisma().membership.findFirstOrThrow({ where: { sandboxId: one.account_id } });
  const twins = { where: { twinId: live.accountId } };
  expect(await asSystem((tx) => tx.account.findMany(twins))).toMatchObject([{ id: one.account_id }]);
});

test("a token that is asked for while its sandbox is reset is one of the new sandbox", async () => {
  const made = await makeAccount();
  const { accountId, clientId: client_id, clientSecret: client_secret } = made;
  let asked: Promise<{ access_token: string }> | undefined;
  const id = newId();
  await forAccount([accountId, id], async (tx) => {
    await tx.credential.update({ where: { clientId: client_id }, data: { accountId: id } }); // as the reset does
    asked = mintToken({ client_id, client_secret, ip: "127.0.0.1" });
    await untilWaitedFor(tx);
  });
  const hash = new Uint8Array(sha256((await asked)?.access_token ?? ""));
  expect(await prisma().accessToken.findUnique({ where: { hash } })).toMatchObject({ accountId: id });
});

test("a clock that runs is not cut off, and none begins in a former sandbox", async () => {
  const made = await makeAccount();
  const { accountId, account } = made;
  const target = new Date(Date.now() + 86_400_000);
  const advance = await forAccount(accountId, (tx) =>
    tx.clockAdvance.create({ data: { accountId, id: newId(), target } }),
  );
  await expect(reset(made)).rejects.toMatchObject({ code: "clock_advance_running" });
  expect(await requireContext(accountId)).toMatchObject({ status: "approved" });
  const where = { accountId_id: { accountId, id: advance.id } };
  await forAccount(accountId, (tx) => tx.clockAdvance.update({ where, data: { doneAt: new Date() } }));
  await reset(made);
  await expect(advanceClock(account, { days: 1 })).rejects.toMatchObject({ code: "account_closed" });
});

test("a process that dies in a reset has changed nothing, and the next one does it", async () => {
  const made = await makeAccount({ available: 10_000 });
  const { accountId } = made;
  await crashAt(
    "sandbox.resetting",
    `import { requireContext } from "@/lib/accounts/read";
    import { resetSandbox } from "@/lib/sandbox/reset";
    await resetSandbox(await requireContext(process.env.ACCOUNT), { idem: undefined, requestId: "" });`,
    { ACCOUNT: accountId },
  );
  expect(await requireContext(accountId)).toMatchObject({ status: "approved" });
  expect((await readBalance(accountId)).balance).toBe("100.00");
  const { account_id: id } = await reset(made);
  expect((await readBalance(id)).balance).toBe("0.00");
});
