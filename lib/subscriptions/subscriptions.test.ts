import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBalances } from "@/lib/ledger/balance";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { pauseSubscription, resumeSubscription } from "@/lib/subscriptions/pause";
import { resendCharge } from "@/lib/subscriptions/resend";
import { call, makeAccount } from "@/lib/testing/make";
import { serveRail } from "@/lib/testing/rail";
import {
  advance,
  anActive,
  aPlan,
  enrolled,
  eventsOf,
  nowOf,
  payCode,
  saleOf,
  shown,
  unmatchedOf,
} from "@/lib/testing/subscriptions";

let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  rail = await serveRail();
});
afterAll(() => rail.close());

test("a person who enrols owes the first charge, and is active once it is paid", async () => {
  const made = await makeAccount({ feeBasisPoints: 0 });
  const { token, sale } = await enrolled(made, await aPlan(made));
  expect(await shown(made, token)).toMatchObject({
    status: "pending_first_payment",
    started_at: null,
    allowed_actions: ["cancel", "resend_charge"],
    charges: [{ cycle_number: 1, amount: "49.90", status: "pending", payment: { identifier: sale } }],
  });

  await payCode(made, sale);

  const active = await shown(made, token);
  expect(active).toMatchObject({ status: "active", charges: [{ status: "paid", payment: { identifier: sale } }] });
  expect(active.allowed_actions).toEqual(["cancel", "pause", "change_plan"]);
  expect((await readBalances(made.accountId)).available).toBe(4990);
  expect(await saleOf(made.accountId, sale)).toMatchObject({ origin: "subscription", subscriptionId: token });
  expect(await eventsOf(made, token)).toEqual([
    "subscription.created",
    "cycle.created",
    "cycle.paid",
    "subscription.activated",
  ]);
});

test("a first charge that is never paid ends the subscription", async () => {
  const made = await makeAccount();
  const { token, sale } = await enrolled(made, await aPlan(made));
  await advance(made, 4);
  expect(await shown(made, token)).toMatchObject({ status: "cancelled", charges: [{ status: "expired" }] });
  expect(await eventsOf(made, token)).toEqual(["subscription.created", "cycle.created", "subscription.expired"]);
  expect(await saleOf(made.accountId, sale)).toMatchObject({ status: "expired" });
});

test("an unpaid cycle is charged ahead, overdue when it is due, gets a fresh code, and is suspended after the grace", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await advance(made, 26);
  const charged = await shown(made, token);
  expect(charged).toMatchObject({ status: "active", charges: [{ cycle_number: 2, status: "pending" }, {}] });

  await advance(made, 4);
  expect(await shown(made, token)).toMatchObject({ status: "overdue", retry_count: 0 });
  await advance(made, 2);
  const retried = await shown(made, token);
  expect(retried).toMatchObject({ status: "overdue", retry_count: 1 });
  expect(retried.charges[0]?.payment.identifier).not.toBe(charged.charges[0]?.payment.identifier);
  await advance(made, 1);
  const suspended = await shown(made, token);
  expect(suspended).toMatchObject({ status: "suspended", charges: [{ status: "expired" }, { status: "paid" }] });
  expect(suspended.allowed_actions).toEqual(["cancel", "resend_charge"]);
  expect((await eventsOf(made, token)).slice(4)).toEqual([
    "cycle.created",
    "subscription.overdue",
    "cycle.retried",
    "subscription.suspended",
  ]);

  await advance(made, 40);
  const { account } = await nowOf(made);
  const { charge } = await resendCharge(account, token, call());
  await payCode(made, charge.payment.identifier ?? "");
  expect(await shown(made, token)).toMatchObject({
    status: "active",
    charges: [{ cycle_number: 2, status: "paid" }, {}],
  });
  await advance(made, 25);
  expect((await shown(made, token)).charges.map(({ cycle_number }) => cycle_number)).toEqual([4, 2, 1]);
});

describe("of a code that was replaced", () => {
  test("a payment counts, and the new code is void", async () => {
    const made = await makeAccount({ feeBasisPoints: 0 });
    const { token, sale } = await enrolled(made, await aPlan(made));
    const { charge } = await resendCharge(made.account, token, call());
    expect(await saleOf(made.accountId, sale)).toMatchObject({ status: "expired" });

    await payCode(made, sale);

    expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ payment: { identifier: sale } }] });
    expect(await saleOf(made.accountId, sale)).toMatchObject({ status: "completed", late: true });
    expect(await saleOf(made.accountId, charge.payment.identifier ?? "")).toMatchObject({ status: "expired" });
    expect((await readBalances(made.accountId)).available).toBe(4990);
  });

  test("a second payment of the cycle is credited to nobody, and kept for the operator", async () => {
    const made = await makeAccount({ feeBasisPoints: 0 });
    const { token, sale } = await enrolled(made, await aPlan(made));
    const { charge } = await resendCharge(made.account, token, call());
    await payCode(made, charge.payment.identifier ?? "");

    const endToEndId = await payCode(made, sale);

    expect(await unmatchedOf(endToEndId)).toMatchObject([{ reason: "cycle_already_paid", amount: 4990n }]);
    expect((await readBalances(made.accountId)).available).toBe(4990);
  });
});

test("a paused subscription is charged nothing, and gets its paid days back", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await advance(made, 26);
  const { account } = await nowOf(made);
  await pauseSubscription(account, token, { reason: null, resumes_at: null }, call());
  expect(await shown(made, token)).toMatchObject({
    status: "suspended",
    next_charge_at: null,
    charges: [{ status: "expired" }, {}],
  });
  await advance(made, 100);
  const later = await nowOf(made);
  await resumeSubscription(later.account, token, call());
  const resumed = await shown(made, token);
  expect(resumed).toMatchObject({ status: "active", paused_at: null });
  expect(resumed.charges[0]).toMatchObject({ cycle_number: 3, status: "pending" });
});

test("a cancellation at the end of what is paid takes effect then", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await cancelSubscription((await nowOf(made)).account, token, { reason: "caro", at_period_end: true }, call());
  expect(await shown(made, token)).toMatchObject({ status: "active", next_charge_at: null });
  await advance(made, 30);
  expect(await shown(made, token)).toMatchObject({ status: "cancelled", charges: [{ cycle_number: 1 }] });
});
