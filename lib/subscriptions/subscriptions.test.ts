import { describe, expect, test } from "vitest";
import { addDays, dayOf, daysBetween } from "@/lib/billing/calendar";
import { asSystem, forAccount } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { openEvent } from "@/lib/events/subjects";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { mandateCall } from "@/lib/mandates/offer-call";
import { refreshMandate } from "@/lib/mandates/report";
import { resolveCall } from "@/lib/outside/calls";
import { railFor } from "@/lib/rails/pix/rails";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { changePlan, previewPlanChange } from "@/lib/subscriptions/change-plan";
import { pauseSubscription, resumeSubscription } from "@/lib/subscriptions/pause";
import { listSubscriptions } from "@/lib/subscriptions/read";
import { resendCharge } from "@/lib/subscriptions/resend";
import { PauseBody, SubscriptionQuery } from "@/lib/subscriptions/schema";
import { lettersTo } from "@/lib/testing/mails";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import {
  advance,
  anActive,
  aPlan,
  chargeCards,
  enrolled,
  enrolledByCard,
  eventsOf,
  nowOf,
  orderDebits,
  payCode,
  putCard,
  saleOf,
  shown,
  unmatchedOf,
} from "@/lib/testing/subscriptions";
import { businessNow } from "@/lib/time/clock";

/** Pays a code, and has nobody hear of it for so many hours. */
async function heardLater({ accountId }: Made, id: string, hours: number) {
  const { pixCode } = await saleOf(accountId, id);
  const receipt = await railFor("sandbox")?.pay?.({ code: pixCode ?? "" });
  if (!receipt) throw new Error("a sandbox has a rail that pays");
  const { endToEndId } = receipt;
  const paidAt = new Date(Date.now() - hours * 3_600_000);
  await asSystem((tx) => tx.simulatorPix.updateMany({ where: { endToEndId }, data: { paidAt } }));
  await completeDeposit({ provider: "simulator", endToEndId });
}

openRail();

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

test("an unpaid cycle is charged ahead, in time on its due day, overdue after it, gets a fresh code, and is suspended after the grace", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await advance(made, 26);
  const charged = await shown(made, token);
  expect(charged).toMatchObject({ status: "active", charges: [{ cycle_number: 2, status: "pending" }, {}] });

  await advance(made, 4);
  const due = await shown(made, token);
  expect(due).toMatchObject({ status: "active", overdue_since: null, next_charge_at: charged.next_charge_at });
  const today = dayOf(businessNow((await nowOf(made)).account), "America/Sao_Paulo");
  expect(due.charges[0]).toMatchObject({ status: "pending", due_date: today });
  await advance(made, 1);
  expect(await shown(made, token)).toMatchObject({ status: "overdue", retry_count: 0, next_charge_at: null });
  await advance(made, 1);
  const retried = await shown(made, token);
  expect(retried).toMatchObject({ status: "overdue", retry_count: 1 });
  expect(retried.charges[0]?.payment.identifier).not.toBe(charged.charges[0]?.payment.identifier);
  await advance(made, 1);
  expect((await shown(made, token)).status).toBe("overdue"); // the last day of the grace
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
  const { charge } = await resendCharge(account, { id: token }, call());
  await payCode(made, charge.payment.identifier ?? "");
  expect(await shown(made, token)).toMatchObject({
    status: "active",
    charges: [{ cycle_number: 2, status: "paid" }, {}],
  });
  await advance(made, 24);
  expect((await shown(made, token)).charges.map(({ cycle_number }) => cycle_number)).toEqual([4, 2, 1]);
});

describe("of a code that was replaced", () => {
  test("a payment counts, and the new code is void", async () => {
    const made = await makeAccount({ feeBasisPoints: 0 });
    const { token, sale } = await enrolled(made, await aPlan(made));
    const { charge } = await resendCharge(made.account, { id: token }, call());
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
    const { charge } = await resendCharge(made.account, { id: token }, call());
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
  await pauseSubscription(account, { id: token, reason: null, resumes_at: null }, call());
  expect(await shown(made, token)).toMatchObject({
    status: "suspended",
    next_charge_at: null,
    charges: [{ status: "expired" }, {}],
  });
  await advance(made, 100);
  const later = await nowOf(made);
  await resumeSubscription(later.account, { id: token }, call());
  const resumed = await shown(made, token);
  expect(resumed).toMatchObject({ status: "active", paused_at: null });
  expect(resumed.charges[0]).toMatchObject({ cycle_number: 3, status: "pending" });
});

test("a cancellation at the end of what is paid takes effect then", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await cancelSubscription((await nowOf(made)).account, { id: token, reason: "caro", at_period_end: true }, call());
  expect(await shown(made, token)).toMatchObject({ status: "active", next_charge_at: null });
  await advance(made, 30);
  expect(await shown(made, token)).toMatchObject({ status: "cancelled", charges: [{ cycle_number: 1 }] });
});

describe("by card", () => {
  const byCard = { billing_method: "credit_card" };

  test("the first charge activates, later ones are made by the seller alone, and a refusal climbs the ladder", async () => {
    const made = await makeShop({ feeBasisPoints: 0 });
    const { token } = await enrolledByCard(made, await aPlan(made, byCard));
    expect(await shown(made, token)).toMatchObject({
      status: "active",
      charges: [{ status: "paid", amount: "49.90" }],
    });
    await advance(made, 31);
    expect((await shown(made, token)).charges).toMatchObject([{ cycle_number: 2, status: "paid" }, { status: "paid" }]);
    await putCard(made, token, "4000000000009995");
    await advance(made, 30);
    const overdue = await shown(made, token);
    expect(overdue).toMatchObject({ status: "overdue", charges: [{ cycle_number: 3, status: "pending" }, {}, {}] });
    expect(overdue.charges[0]?.payment.pix_code).toMatch(/^000201/);
    await advance(made, 7);
    expect(await shown(made, token)).toMatchObject({ status: "overdue", retry_count: 2 });
    await advance(made, 8);
    expect(await shown(made, token)).toMatchObject({ status: "suspended", retry_count: 3 });
    await putCard(made, token, "4111111111111111");
    await chargeCards(made.accountId);
    expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}, {}] });
  });

  test("a refused first charge ends the subscription and keeps no card", async () => {
    const made = await makeShop();
    const plan = await aPlan(made, byCard);
    await expect(enrolledByCard(made, plan, "4000000000000002")).rejects.toMatchObject({ code: "card_refused" });
    const { data } = await listSubscriptions(made.accountId, SubscriptionQuery.parse({}));
    expect(data).toMatchObject([{ status: "cancelled" }]);
    expect(await forAccount(made.accountId, (tx) => tx.storedCard.count())).toBe(0);
  });

  test("a hard refusal is not tried again, and a Pix code is the way out", async () => {
    const made = await makeShop({ feeBasisPoints: 0 });
    const { token } = await enrolledByCard(made, await aPlan(made, byCard));
    await putCard(made, token, "4000000000009979");
    await advance(made, 31);
    const suspended = await shown(made, token);
    expect(suspended).toMatchObject({ status: "suspended", retry_count: 0, charges: [{ status: "pending" }, {}] });
    await payCode(made, suspended.charges[0]?.payment.identifier ?? "");
    expect(await shown(made, token)).toMatchObject({ status: "active" });
  });
});

describe("a change of plan", () => {
  test("upwards charges the days that are left, and counts once that is paid", async () => {
    const made = await makeAccount({ feeBasisPoints: 0 });
    const token = await anActive(made, await aPlan(made, { amount: "30.00" }));
    const better = await aPlan(made, { name: "Melhor", amount: "60.00" });
    await advance(made, 10);
    const { account } = await nowOf(made);
    const preview = await previewPlanChange(account, token, better);
    expect(preview.data).toMatchObject({ type: "upgrade", days_left: 20, proration_amount: "20.00" });
    const changed = await changePlan(account, { id: token, new_plan_token: better, reason: null }, call());
    expect(changed.plan_change).toMatchObject({ type: "upgrade", proration_amount: "20.00" });
    expect(await shown(made, token)).toMatchObject({ plan: { name: "Mensal" } });

    await payCode(made, changed.plan_change.proration_charge?.payment.identifier ?? "");

    expect(await shown(made, token)).toMatchObject({ plan: { name: "Melhor" }, status: "active" });
    await advance(made, 16);
    expect((await shown(made, token)).charges[0]).toMatchObject({ cycle_number: 2, amount: "60.00" });
  });

  test("upwards that is not paid in time leaves the plan", async () => {
    const made = await makeAccount();
    const token = await anActive(made, await aPlan(made, { amount: "30.00" }));
    const better = await aPlan(made, { name: "Melhor", amount: "60.00" });
    await changePlan(made.account, { id: token, new_plan_token: better, reason: null }, call());
    await advance(made, 26);
    const kept = await shown(made, token);
    expect(kept).toMatchObject({ plan: { name: "Mensal" }, status: "active" });
    expect(kept.charges).toMatchObject([{ amount: "30.00" }, { kind: "upgrade", status: "expired" }, {}]);
  });

  test("downwards counts from the next charge on, with its period", async () => {
    const made = await makeAccount();
    const token = await anActive(made, await aPlan(made, { amount: "30.00" }));
    const weekly = await aPlan(made, { name: "Semanal", amount: "5.00", periodicity_days: 7, billing_advance_days: 2 });
    await changePlan(made.account, { id: token, new_plan_token: weekly, reason: null }, call());
    expect(await shown(made, token)).toMatchObject({ plan: { name: "Mensal" }, next_plan: { name: "Semanal" } });
    await advance(made, 26);
    const moved = await shown(made, token);
    expect(moved).toMatchObject({ plan: { name: "Semanal" }, next_plan: null, charges: [{ amount: "5.00" }, {}] });
    await payCode(made, moved.charges[0]?.payment.identifier ?? "");
    await advance(made, 10);
    const [third, second] = (await shown(made, token)).charges;
    expect(Date.parse(third?.due_date ?? "") - Date.parse(second?.due_date ?? "")).toBe(7 * 86_400_000);
  });
});

describe("by Pix Automático", () => {
  /** By the week, because a month is not always as long. */
  const automatic = { billing_method: "pix_automatico", periodicity_days: 7, billing_advance_days: 3 };
  const mandateOf = async (made: Made, token: string) =>
    forAccount(made.accountId, (tx) => tx.mandate.findFirstOrThrow({ where: { subscriptionId: token } }));
  const rail = () => {
    const simulated = railFor("sandbox")?.automatic?.simulate;
    if (!simulated) throw new Error("a sandbox's rail is simulated");
    return simulated;
  };

  test("one code pays the first charge and authorises, and later charges are debited", async () => {
    const made = await makeAccount({ feeBasisPoints: 0 });
    const token = await anActive(made, await aPlan(made, automatic));
    await advance(made, 1);
    expect(await shown(made, token)).toMatchObject({ status: "active", mandate: { status: "approved" } });
    await advance(made, 4);
    expect((await shown(made, token)).charges).toMatchObject([{ cycle_number: 2, status: "pending" }, {}]);
    await advance(made, 3);
    expect(await shown(made, token)).toMatchObject({
      status: "active",
      charges: [{ status: "paid" }, { status: "paid" }],
    });
    expect((await readBalances(made.accountId)).available).toBe(9980);
    expect(await eventsOf(made, token)).toEqual([
      "subscription.created",
      "cycle.created",
      "cycle.paid",
      "subscription.activated",
      "mandate.activated",
      "cycle.created",
      "cycle.paid",
      "subscription.renewed",
    ]);
  });

  test("a debit without funds is tried three times in seven days, beside a code, and then suspends", async () => {
    const made = await makeAccount();
    const email = `${newId()}@example.com`;
    const token = await anActive(made, await aPlan(made, automatic), { email });
    await advance(made, 1);
    await rail().setAccount((await mandateOf(made, token)).providerId ?? "", "none");
    await advance(made, 6);
    const overdue = await shown(made, token);
    expect(overdue).toMatchObject({ status: "overdue", retry_count: 0, charges: [{ status: "pending" }, {}] });
    expect(overdue.charges[0]?.payment.pix_code).toMatch(/^000201/);
    await advance(made, 8);
    expect(await shown(made, token)).toMatchObject({ status: "suspended", retry_count: 3 });
    const letters = (await lettersTo(email)).slice(-4);
    const failed = { template: "card_failed", method: "pix_automatico" };
    expect(letters).toMatchObject([
      ...[false, false, true].map((isLast) => ({ ...failed, isLast })),
      { template: "subscription_suspended", method: "pix_automatico" },
    ]);
    const tried = letters.flatMap((one) =>
      "triedOn" in one && one.triedOn ? [daysBetween(one.dueDay, one.triedOn)] : [],
    );
    expect(tried, "the day of the next attempt is said").toEqual([2, 4, 6]);
    await payCode(made, overdue.charges[0]?.payment.identifier ?? "");
    expect(await shown(made, token)).toMatchObject({ status: "active" });
  });

  test("a debit that the payer's bank never answers is overdue the day after, and suspended after the grace", async () => {
    const made = await makeAccount();
    const token = await anActive(made, await aPlan(made, automatic));
    await advance(made, 1);
    const mandateId = (await mandateOf(made, token)).providerId ?? "";
    await rail().setAccount(mandateId, "away");
    await advance(made, 6);
    expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "pending" }, {}] });
    await advance(made, 1);
    expect(await shown(made, token)).toMatchObject({ status: "overdue", retry_count: 0 });
    await advance(made, 12);
    expect(await shown(made, token)).toMatchObject({ status: "suspended", charges: [{ status: "expired" }, {}] });
    expect((await eventsOf(made, token)).slice(-2)).toEqual(["subscription.overdue", "subscription.suspended"]);
  });

  test("a debit that is answered late is paid, or tried again", async () => {
    for (const [funds, status] of [
      ["enough", "active"],
      ["none", "overdue"],
    ] as const) {
      const made = await makeAccount();
      const token = await anActive(made, await aPlan(made, automatic));
      await advance(made, 1);
      const mandateId = (await mandateOf(made, token)).providerId ?? "";
      await rail().setAccount(mandateId, "away");
      await advance(made, 6);
      await rail().setAccount(mandateId, funds);
      await advance(made, 1);
      expect(await shown(made, token), funds).toMatchObject({ status });
      expect(await eventsOf(made, token)).toContain(funds === "none" ? "cycle.failed" : "subscription.renewed");
    }
  });

  test("who enrols by the month is debited on the first due day, however short the month is", async () => {
    for (const day of ["2027-01-30", "2027-02-10", "2027-03-31"]) {
      const made = await makeAccount();
      await advance(made, new Date(`${day}T15:00:00Z`));
      const token = await anActive(made, await aPlan(made, { billing_method: "pix_automatico" }));
      await advance(made, 32);
      expect((await shown(made, token)).charges, day).toMatchObject([
        { cycle_number: 2, status: "paid", payment: { pix_code: null } },
        { cycle_number: 1, status: "paid" },
      ]);
    }
  });

  test("a mandate has one period, so a plan of another one cannot take its place", async () => {
    const made = await makeAccount();
    const token = await anActive(made, await aPlan(made, automatic));
    const monthly = await aPlan(made, { billing_method: "pix_automatico", name: "Mensal" });
    const { account } = await nowOf(made);
    const change = (plan: string) => changePlan(account, { id: token, new_plan_token: plan, reason: null }, call());
    await expect(change(monthly)).rejects.toMatchObject({ code: "plan_mismatch" });
    await change(await aPlan(made, { ...automatic, name: "Menos", amount: "9.90" }));
  });

  test("an offer that never reached the rail ends what nobody paid, and nothing that was paid by code meanwhile", async () => {
    for (const status of ["active", "cancelled"] as const) {
      const made = await makeAccount();
      const where = { accountId: made.accountId };
      const plan = await aPlan(made, automatic);
      const port = railFor("sandbox")?.automatic;
      if (!port) throw new Error("a sandbox's rail has Pix Automático");
      const { offerMandate } = port;
      port.offerMandate = () => Promise.reject(new Error("killed before it asked"));
      await expect(enrolled(made, plan)).rejects.toMatchObject({ code: "deposit_pending" });
      port.offerMandate = offerMandate;
      const { id: token } = await asSystem((tx) => tx.subscription.findFirstOrThrow({ where }));
      if (status === "active") {
        const { charge } = await resendCharge(made.account, { id: token }, call());
        await payCode(made, charge.payment.identifier ?? "");
      }
      const sentAt = new Date(Date.now() - 16 * 60_000);
      await asSystem((tx) => tx.call.updateMany({ where, data: { sentAt, askedAt: sentAt } }));
      await resolveCall(mandateCall, await asSystem((tx) => tx.call.findFirstOrThrow({ where })));
      expect(await shown(made, token)).toMatchObject({ status, mandate: { status: "rejected" } });
    }
  });

  const mandateBodies = async ({ accountId }: Made, subjectId: string) => {
    const where = { accountId, subjectId, type: { startsWith: "mandate." } };
    const events = await forAccount(accountId, (tx) => tx.event.findMany({ where, orderBy: { id: "asc" } }));
    return events.map((event) => {
      const open = openEvent(event);
      return open.subscriptions.map((route) => open.body(route))[0];
    });
  };

  test("a mandate that its payer cancels leaves the subscription to codes", async () => {
    const made = await makeAccount();
    const token = await anActive(made, await aPlan(made, automatic));
    await advance(made, 1);
    const { provider, providerId } = await mandateOf(made, token);
    await rail().cancel(providerId ?? "");
    await refreshMandate(provider, providerId ?? "");
    const by = { cancelled_by: "payer", cancel_reason: expect.stringMatching(/^[A-Z0-9]{4}$/) };
    const times = { authorized_at: expect.any(String), cancelled_at: expect.any(String) };
    const ended = { status: "cancelled", ...by, ...times };
    expect(await shown(made, token)).toMatchObject({ mandate: ended });
    const bodies = await mandateBodies(made, token);
    expect(bodies).toMatchObject([
      {
        event: "mandato_ativado",
        mandate: { status: "approved", authorized_at: expect.any(String), cancelled_at: null },
      },
      { event: "mandato_cancelado", mandate: ended },
    ]);
    await advance(made, 4);
    expect((await shown(made, token)).charges[0]?.payment.pix_code).toMatch(/^000201/);
  });

  test("a cancelled subscription cancels its mandate", async () => {
    const made = await makeAccount();
    const token = await anActive(made, await aPlan(made, automatic));
    await advance(made, 1);
    await cancelSubscription((await nowOf(made)).account, { id: token, reason: null, at_period_end: false }, call());
    await orderDebits(made.accountId);
    expect(await shown(made, token)).toMatchObject({ status: "cancelled", mandate: { status: "cancelled" } });
  });
});

test("nothing new is charged for an account that is suspended, and all of it once it is approved again", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  const become = (status: "suspended" | "approved") =>
    asSystem((tx) => tx.account.update({ where: { id: made.accountId }, data: { status } }));
  await become("suspended");
  await advance(made, 26);
  expect((await shown(made, token)).charges).toHaveLength(1);
  await become("approved");
  await advance(made, 1);
  expect((await shown(made, token)).charges).toHaveLength(2);
});

test("a suspended account charges no card on file and sends no code, and goes on with both once it is approved", async () => {
  const made = await makeShop({ feeBasisPoints: 0 });
  const byCard = { billing_method: "credit_card" };
  const better = await aPlan(made, { ...byCard, name: "Melhor", amount: "99.90" });
  const { token } = await enrolledByCard(made, await aPlan(made, byCard));
  const overdue = await enrolledByCard(made, await aPlan(made, byCard));
  await putCard(made, overdue.token, "4000000000009995");
  await advance(made, 30);
  await putCard(made, overdue.token, "4000000000009995");
  await chargeCards(made.accountId);
  const become = (status: "suspended" | "approved") =>
    asSystem((tx) => tx.account.update({ where: { id: made.accountId }, data: { status } }));
  const chargesOf = async (id: string) => (await shown(made, id)).charges.map(({ status }) => status);
  await become("suspended");
  const { account } = await nowOf(made);
  for (const ask of [
    () => changePlan(account, { id: token, new_plan_token: better, reason: null }, call()),
    () => resendCharge(account, { id: overdue.token }, call()),
    () => putCard(made, overdue.token, "4111111111111111"),
  ]) {
    await expect(ask()).rejects.toMatchObject({ code: "account_suspended" });
  }
  const before = await forAccount(made.accountId, (tx) => tx.transaction.count());
  await advance(made, 3);
  expect(await forAccount(made.accountId, (tx) => tx.transaction.count())).toBe(before);
  expect([await chargesOf(token), await chargesOf(overdue.token)]).toEqual([
    ["paid", "paid"],
    ["pending", "paid"],
  ]);

  await become("approved");
  await putCard(made, overdue.token, "4111111111111111");
  await advance(made, 1);
  expect(await chargesOf(overdue.token)).toEqual(["paid", "paid"]);
});

test("a subscription that is to end is not paused and takes no other plan", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  const better = await aPlan(made, { name: "Melhor", amount: "99.90" });
  await advance(made, 27);
  const { account } = await nowOf(made);
  await cancelSubscription(account, { id: token, reason: null, at_period_end: true }, call());
  for (const ask of [
    () => pauseSubscription(account, { id: token, reason: null, resumes_at: null }, call()),
    () => changePlan(account, { id: token, new_plan_token: better, reason: null }, call()),
    () => previewPlanChange(account, token, better),
  ]) {
    await expect(ask()).rejects.toMatchObject({ code: "invalid_transition" });
  }
  await advance(made, 3);
  expect(await shown(made, token)).toMatchObject({ status: "cancelled" });
});

test("the day of the first payment is the anchor, also where it is heard of later", async () => {
  const made = await makeAccount();
  const { token, sale } = await enrolled(made, await aPlan(made, { grace_period_days: 30 }));
  await heardLater(made, sale, 50);
  const { started_at, next_charge_at, charges } = await shown(made, token);
  const paidAt = charges[0]?.paid_at ?? "";
  expect(Date.parse(started_at ?? "") - Date.parse(paidAt)).toBeGreaterThan(48 * 3_600_000);
  expect(dayOf(new Date(next_charge_at ?? ""), "America/Sao_Paulo")).toBe(
    addDays(dayOf(new Date(paidAt), "America/Sao_Paulo"), 30),
  );
});

test("a pause ends within ten years", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  const until = (time: string) =>
    pauseSubscription(made.account, { ...PauseBody.parse({ resumes_at: time }), id: token }, call());
  await expect(until("9999-12-31T23:59:59-12:00")).rejects.toMatchObject({ code: "validation_failed" });
  await expect(until("2020-01-01T00:00:00Z")).rejects.toMatchObject({ code: "validation_failed" });
  expect(await shown(made, token)).toMatchObject({ status: "active" });
});
