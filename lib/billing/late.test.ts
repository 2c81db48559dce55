import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { billDue } from "@/lib/billing/bill-due";
import { cycleCharge } from "@/lib/billing/card-call";
import { asSystem, forAccount } from "@/lib/db";
import { digitsOf } from "@/lib/ids";
import { applyMandate, refreshOfferedMandates } from "@/lib/mandates/report";
import { beginCall, finishCall } from "@/lib/outside/calls";
import { railFor } from "@/lib/rails/pix/rails";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { pauseSubscription, resumeSubscription } from "@/lib/subscriptions/pause";
import { resendCharge } from "@/lib/subscriptions/resend";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { serveRail, whileDown } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import {
  anActive,
  aPlan,
  enrolled,
  enrolledByCard,
  eventsOf,
  nowOf,
  orderDebits,
  payCode,
  shown,
} from "@/lib/testing/subscriptions";

let server: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  server = await serveRail();
});
afterAll(() => server.close());

const DAY = 86_400_000n;
/** The clock jumps, and nothing runs meanwhile. */
const jump = ({ accountId }: Made, days: number) =>
  forAccount(accountId, (tx) =>
    tx.account.update({ where: { id: accountId }, data: { clockOffsetMs: { increment: BigInt(days) * DAY } } }),
  );

/** By the week, because a month is not always as long. */
const automatic = { billing_method: "pix_automatico", periodicity_days: 7, billing_advance_days: 3 };

/** An active subscription whose mandate is approved. */
async function aDebited(made: Made): Promise<string> {
  const token = await anActive(made, await aPlan(made, automatic));
  await refreshOfferedMandates(made.accountId);
  expect(await shown(made, token)).toMatchObject({ status: "active", mandate: { status: "approved" } });
  return token;
}

const pause = async (made: Made, token: string) =>
  pauseSubscription((await nowOf(made)).account, { id: token, reason: null, resumes_at: null }, call());

const secondCycleOf = ({ accountId }: Made, subscriptionId: string) =>
  forAccount(accountId, (tx) => tx.cycle.findFirstOrThrow({ where: { accountId, subscriptionId, number: 2 } }));

async function billAndOrder({ accountId }: Made) {
  for (let round = 0; round < 3; round += 1) {
    await billDue()(accountId);
    await orderDebits(accountId);
  }
}

test("a debit that is cancelled while its rail does not answer is not instructed later", async () => {
  const made = await makeAccount();
  const { accountId } = made;
  const token = await aDebited(made);
  await jump(made, 4);
  await billDue()(accountId);
  const { chargingSaleId } = await secondCycleOf(made, token);
  await whileDown(() => orderDebits(accountId));
  await pause(made, token);
  await orderDebits(accountId);
  await asSystem((tx) => tx.call.updateMany({ where: { accountId, doneAt: null }, data: { dueAt: new Date(0) } }));
  await orderDebits(accountId);
  expect(await railFor("sandbox")?.automatic?.readDebit(digitsOf(chargingSaleId ?? ""))).toBeNull();
  expect(await asSystem((tx) => tx.call.count({ where: { accountId, doneAt: null } }))).toBe(0);
});

test("a debit that is too late to be instructed is asked for by code, and suspends nobody", async () => {
  const made = await makeAccount();
  const token = await aDebited(made);
  await jump(made, 8);
  await billAndOrder(made);
  const late = await shown(made, token);
  expect(late).toMatchObject({ status: "overdue", charges: [{ status: "pending" }, {}] });
  expect(late.charges[0]?.payment.pix_code).toMatch(/^000201/);
});

test("a subscription that is resumed without paid days left is not suspended", async () => {
  const made = await makeAccount();
  const token = await aDebited(made);
  await jump(made, 4);
  await pause(made, token);
  await jump(made, 40);
  await resumeSubscription((await nowOf(made)).account, { id: token }, call());
  await jump(made, 4);
  await billAndOrder(made);
  expect(await shown(made, token)).toMatchObject({ status: "overdue", charges: [{ status: "pending" }, {}] });
});

test("a mandate whose subscription is cancelled while it is offered is cancelled too", async () => {
  const made = await makeAccount();
  const { accountId } = made;
  const plan = await aPlan(made, { billing_method: "pix_automatico" });
  server.late.ms = 500;
  const enrolling = expect(enrolled(made, plan)).rejects.toMatchObject({ code: "deposit_not_made" });
  const begun = () => forAccount(accountId, (tx) => tx.subscription.findFirst({ where: { accountId } }));
  const { id } = await vi.waitUntil(begun, { timeout: 5_000 });
  await cancelSubscription((await nowOf(made)).account, { id, reason: null, at_period_end: false }, call());
  await enrolling;
  server.late.ms = 0;
  await orderDebits(accountId);
  expect(await shown(made, id)).toMatchObject({ status: "cancelled", mandate: { status: "cancelled" } });
});

test("what a rail said of a mandate before it was cancelled does not bring it back", async () => {
  const made = await makeAccount();
  const token = await aDebited(made);
  const mandate = await forAccount(made.accountId, (tx) =>
    tx.mandate.findFirstOrThrow({ where: { subscriptionId: token } }),
  );
  const rail = railFor("sandbox")?.automatic;
  const before = await rail?.readMandate(mandate.providerId ?? "");
  await rail?.simulate?.cancel(mandate.providerId ?? "");
  const after = await rail?.readMandate(mandate.providerId ?? "");
  if (!before || !after) throw new Error("The rail knows the mandate");
  await applyMandate(mandate.provider, after);
  await applyMandate(mandate.provider, before);
  expect(await shown(made, token)).toMatchObject({ mandate: { status: "cancelled" } });
  expect((await eventsOf(made, token)).filter((type) => type.startsWith("mandate."))).toEqual([
    "mandate.activated",
    "mandate.cancelled",
  ]);
});

test("a card that is refused after the code was paid does not make a paid charge fail", async () => {
  const made = await makeShop();
  const { accountId } = made;
  const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
  await jump(made, 31);
  await billDue()(accountId);
  const id = (await secondCycleOf(made, token)).chargingSaleId ?? "";
  await forAccount(accountId, async (tx) => {
    await tx.call.deleteMany({ where: { accountId, id } });
    await beginCall(tx, { accountId, id, kind: cycleCharge.name, provider: "simulator" });
    await tx.subscription.updateMany({ where: { accountId, id: token }, data: { status: "overdue" } });
  });
  const { charge } = await resendCharge((await nowOf(made)).account, { id: token }, call());
  await payCode(made, charge.payment.identifier ?? "");
  await finishCall(cycleCharge, { accountId, id }, { status: "refused", reason: "insufficient_funds", isHard: false });
  expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
  expect(await eventsOf(made, token)).not.toContain("cycle.failed");
});

test("the event of a paid upgrade has the next charge as it was then", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  const new_plan_token = await aPlan(made, { name: "Anual", amount: "999.00", periodicity_days: 365 });
  const before = (await shown(made, token)).next_charge_at;
  const { plan_change } = await changePlan(made.account, { id: token, new_plan_token, reason: null }, call());
  await payCode(made, plan_change.proration_charge?.payment.identifier ?? "");
  const where = { accountId: made.accountId, subjectId: token, type: "cycle.paid" };
  const paid = await forAccount(made.accountId, (tx) => tx.event.findFirstOrThrow({ where, orderBy: { id: "desc" } }));
  expect(paid.record).toMatchObject({ next_charge_at: before });
});
