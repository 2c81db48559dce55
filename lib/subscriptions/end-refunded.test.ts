import { expect, test } from "vitest";
import { forAccount, transactionOverAll } from "@/lib/db";
import type { Happened } from "@/lib/events/consume";
import { openEvent } from "@/lib/events/subjects";
import { finishCall } from "@/lib/outside/calls";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { refundCall } from "@/lib/refunds/call";
import { idOfCode } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { simulateRefund } from "@/lib/refunds/simulate";
import { endRefunded } from "@/lib/subscriptions/end-refunded";
import { call, fund, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { anActive, aPlan, nowOf, shown } from "@/lib/testing/subscriptions";

openRail();

/** Refunds a subscription's first payment, whole or in part. Returns the refund's events. */
async function refunded(made: Made, token: string, overrides: object) {
  const { account, accountId } = await nowOf(made);
  const sale = (await shown(made, token)).charges[0]?.payment.identifier ?? "";
  const body = RefundBody.parse({ reason: "buyer_withdrawal", ...overrides });
  const { data } = await requestRefund(account, { ...body, id: sale }, call());
  await simulateRefund(account, { code: data.code, isCompleted: true }, call());
  const id = idOfCode(data.code) ?? "";
  await finishCall(refundCall, { accountId, id }, { status: "completed", returnId: `D${"0".repeat(31)}` });
  return (await forAccount(accountId, (tx) =>
    tx.event.findMany({ where: { accountId, subjectId: id } }),
  )) as Happened[];
}

/** The same, with the events consumed twice. */
async function refundFirst(made: Made, token: string, overrides: object) {
  const events = await refunded(made, token, overrides);
  for (let time = 0; time < 2; time += 1) {
    await transactionOverAll((query) => endRefunded(query, events));
  }
}

const subscribed = async () => {
  const made = await makeAccount({ available: 10_000 });
  return { made, token: await anActive(made, await aPlan(made)) };
};

test.each([
  [{}, "active", "refunded"],
  [{ amount: "10.00" }, "active", "paid"],
  [{ cancel_subscription: "now" }, "cancelled", "refunded"],
  [{ amount: "10.00", cancel_subscription: "now" }, "cancelled", "paid"],
])("after a refund of %j the subscription is %s and its charge %s", async (overrides, status, charge) => {
  const { made, token } = await subscribed();
  await refundFirst(made, token, overrides);
  const after = await shown(made, token);
  expect([after.status, after.charges[0]?.status]).toEqual([status, charge]);
});

test("its refund goes to the webhooks of the product that was sold", async () => {
  const made = await makeAccount({ available: 10_000 });
  const input = ProductInput.parse({ name: "Curso" });
  const product = (await createProduct(made.account, input, call())).data.reference_id;
  const token = await anActive(made, await aPlan(made, {}, product));
  const { account, accountId } = await nowOf(made);
  const sale = (await shown(made, token)).charges[0]?.payment.identifier ?? "";
  const { data } = await requestRefund(account, { ...RefundBody.parse({ reason: "other" }), id: sale }, call());
  const subjectId = idOfCode(data.code) ?? "";
  const [event] = await forAccount(accountId, (tx) => tx.event.findMany({ where: { subjectId } }));
  expect(event && openEvent(event).productId).toBe(product);
});

test("of several refunds at once each ends its own subscription, in as many statements as of one", async () => {
  const made = await makeAccount({ available: 100_000 });
  const plan = await aPlan(made);
  const ended: { token: string; events: Happened[] }[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    const token = await anActive(made, plan);
    ended.push({ token, events: await refunded(made, token, { cancel_subscription: "now" }) });
  }
  const statementsOf = async (some: readonly Happened[]) => {
    let sent = 0;
    await transactionOverAll((query) =>
      endRefunded((...given) => {
        sent += 1;
        return query(...given);
      }, some),
    );
    return sent;
  };
  const [first, ...others] = ended.map(({ events }) => events);
  const one = await statementsOf(first ?? []);
  expect(one).toBeGreaterThan(3);
  expect(await statementsOf(others.toReversed().flat())).toBe(one);
  for (const { token } of ended) {
    const { status, charges } = await shown(made, token);
    expect([status, charges[0]?.status]).toEqual(["cancelled", "refunded"]);
  }
});

test("a subscription whose refund ends it with the period goes on until then, and one that has ended stays as it is", async () => {
  const { made, token } = await subscribed();
  await refundFirst(made, token, { amount: "10.00", cancel_subscription: "period_end" });
  expect(await shown(made, token)).toMatchObject({ status: "active", next_charge_at: null });
  await fund(made.accountId, 1_000);
  await refundFirst(made, token, { amount: "10.00", cancel_subscription: "now" });
  expect((await shown(made, token)).status).toBe("cancelled");
  await refundFirst(made, token, { amount: "10.00", cancel_subscription: "now" });
  expect((await shown(made, token)).status).toBe("cancelled");
});
