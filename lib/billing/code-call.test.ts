import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { billDue } from "@/lib/billing/bill-due";
import { cycleCode } from "@/lib/billing/code-call";
import { enrollInPlan } from "@/lib/checkout/enroll";
import { renewPayment } from "@/lib/checkout/renew";
import { CheckoutEnroll } from "@/lib/checkout/schema";
import { findPayment, readPayment } from "@/lib/checkout/status";
import { asSystem, forAccount } from "@/lib/db";
import { type Idem, replayOf } from "@/lib/idempotency";
import { newId, sha256 } from "@/lib/ids";
import { makeDueCalls } from "@/lib/outside/run";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { enroll } from "@/lib/subscriptions/enroll";
import { pauseSubscription } from "@/lib/subscriptions/pause";
import { resendCharge } from "@/lib/subscriptions/resend";
import { makeLink, payAs, settleAs } from "@/lib/testing/checkout";
import { replaceCodes, simulatedCodes } from "@/lib/testing/code-rail";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import {
  advance,
  anActive,
  aPlan,
  enrolled,
  enrolledByCard,
  nowOf,
  payCode,
  putCard,
  saleOf,
  shown,
  somebody,
} from "@/lib/testing/subscriptions";
import { DAY_MS } from "@/lib/time/calendar";

/** The loop makes every due call, so these tests have a database of their own. */
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

/** How the rail answers a request for a code: as it should, not at all though it made the code, or as one that is away. */
let answering: "at once" | "never" | "lost";
let asked: string[];
let restore: () => void;
beforeEach(() => {
  answering = "at once";
  asked = [];
  const codes = simulatedCodes();
  restore = replaceCodes({
    ...codes,
    async requestCode(request) {
      asked.push(request.txid);
      if (answering === "lost") return { status: "lost" };
      const answer = await codes.requestCode(request);
      if (answering === "never") throw new Error("No answer came");
      return answer;
    },
  });
});
afterEach(() => restore());

/** Makes every call due that the loop left for later, and makes what is due. */
async function makeCalls() {
  await asSystem(
    (tx) =>
      tx.$executeRaw`update calls set due_at = now(), sent_at = sent_at - interval '1 minute', asked_at = asked_at - interval '1 minute'`,
  );
  while (await makeDueCalls([cycleCode]));
}

const keyed = ({ accountId }: Made, key = newId()): Idem => ({
  ...{ accountId, key, requestHash: sha256("the request") },
  render: (result) => ({ status: 200, body: JSON.stringify(result) }),
});

/** Moves a sandbox's clock ahead without waiting for what is asked of the rail, and bills what is due then. */
async function billAfter({ accountId }: Made, days: number) {
  const data = { clockOffsetMs: { increment: days * DAY_MS } };
  await forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data }));
  while (await bill(accountId));
}
const bill = billDue();

/** The first answer under a key, or the stored one. */
const answerOf = (attempt: Promise<object>) =>
  attempt.then(
    (result) => JSON.parse(JSON.stringify(result)),
    (error) => JSON.parse(replayOf(error)?.body ?? JSON.stringify({ error: error.code })),
  );

/** What the events of a subscription's cycles say of their codes. */
async function announcedOf({ accountId }: Made, token: string) {
  const where = { accountId, subjectId: token, type: "cycle.created" };
  const events = await forAccount(accountId, (tx) => tx.event.findMany({ where, orderBy: { id: "asc" } }));
  return events.map(({ record, actor }) => ({
    code: (record as { charge: { pix_code: string | null } }).charge.pix_code,
    by: (actor as { kind: string }).kind,
  }));
}

describe("who enrols", () => {
  test("waits for the code, which is announced with the charge and pays it", async () => {
    const made = await makeAccount();
    const { token, sale } = await enrolled(made, await aPlan(made));
    const { pixCode, txid } = await saleOf(made.accountId, sale);
    expect(pixCode).toMatch(/^000201.*br\.gov\.bcb\.pix/);
    expect(asked).toEqual([txid]);
    expect(await announcedOf(made, token)).toEqual([{ code: pixCode, by: "system" }]);
    await payCode(made, sale);
    expect(await shown(made, token)).toMatchObject({ status: "active" });
  });

  test("is answered that the code is on its way where none comes, and gets it by the same key", async () => {
    const made = await makeAccount();
    const plan = await aPlan(made);
    const idem = keyed(made);
    const enrol = () => answerOf(enroll(made.account, { ...somebody(), planId: plan }, { ...call(), idem }));
    answering = "never";
    expect(await enrol()).toEqual({ error: "deposit_pending" });
    await makeCalls();
    const first = await enrol();
    expect(first.payment.pix_code).toMatch(/^000201/);
    expect(await enrol()).toEqual(first);
    expect(asked).toHaveLength(1);
    expect(await announcedOf(made, first.subscription_token)).toMatchObject([{ code: first.payment.pix_code }]);
  });

  test("six times at once under one key is one subscription with one code", async () => {
    const made = await makeAccount();
    const plan = await aPlan(made);
    const idem = keyed(made);
    const enrol = () => answerOf(enroll(made.account, { ...somebody(), planId: plan }, { ...call(), idem }));
    const answers = await Promise.all(Array.from({ length: 6 }, enrol));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0].payment.pix_code).toMatch(/^000201/);
    expect(asked).toHaveLength(1);
    expect(await forAccount(made.accountId, (tx) => tx.subscription.count())).toBe(1);
  });

  test("as a visitor gets the code on the page, and another one in its place", async () => {
    const made = await makeAccount();
    const plan = await aPlan(made);
    const visit = { token: plan, ip: "203.0.113.9", userAgent: "Mozilla/5.0" };
    const body = CheckoutEnroll.parse({ ...somebody(), attempt: newId() });
    const { data } = await enrollInPlan({ ...body, ...visit }, call());
    expect(data.pix_code).toMatch(/^000201/);
    const other = await renewPayment({ id: data.payment ?? "", ...visit }, call());
    expect((await findPayment(plan, other)).sale.pixCode).toMatch(/^000201/);
    expect((await findPayment(plan, data.payment ?? "")).successor).toBe(other);
    answering = "never";
    const last = await renewPayment({ id: other, ...visit }, call());
    expect((await readPayment(plan, last)).data).toMatchObject({ status: "pending", pix_code: null });
    await makeCalls();
    expect((await readPayment(plan, last)).data.pix_code).toMatch(/^000201/);
    await payCode(made, last);
    expect(await shown(made, data.subscription_token ?? "")).toMatchObject({ status: "active" });
  });
});

test("a link's payer waits for the code and pays it", async () => {
  const made = await makeAccount();
  const token = await makeLink(made);
  const { data } = await payAs(token);
  expect(data.pix_code).toMatch(/^000201/);
  await settleAs(made, data.payment ?? "");
  expect((await findPayment(token, data.payment ?? "")).status).toBe("paid");
});

test("another code and an upgrade are answered with their codes, each once under its key", async () => {
  const made = await makeAccount();
  const { token, sale } = await enrolled(made, await aPlan(made));
  const idem = keyed(made);
  const resend = () => answerOf(resendCharge(made.account, { id: token }, { ...call(), idem }));
  const { charge } = await resend();
  expect(await resend()).toEqual({ charge });
  expect(charge.payment.pix_code).toMatch(/^000201/);
  expect((await saleOf(made.accountId, sale)).status).toBe("expired");
  await payCode(made, charge.payment.identifier);

  const better = await aPlan(made, { name: "Melhor", amount: "99.90" });
  const upgradeBy = keyed(made);
  const upgrade = () =>
    answerOf(
      changePlan(made.account, { id: token, new_plan_token: better, reason: null }, { ...call(), idem: upgradeBy }),
    );
  answering = "never";
  expect(await upgrade()).toEqual({ error: "deposit_pending" });
  await makeCalls();
  const { plan_change: change } = await upgrade();
  expect(change).toMatchObject({ type: "upgrade", to_plan_token: better });
  expect(Number(change.proration_amount)).toBe(Number(change.proration_charge.amount));
  await payCode(made, change.proration_charge.payment.identifier);
  expect(await shown(made, token)).toMatchObject({ plan: { token: better } });
});

test("a change of plan that leads to no code is answered at once, and its repeat the same", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  const cheaper = await aPlan(made, { name: "Menor", amount: "9.90" });
  const idem = keyed(made);
  const change = () =>
    answerOf(changePlan(made.account, { id: token, new_plan_token: cheaper, reason: null }, { ...call(), idem }));
  asked = [];
  const first = await change();
  expect(first).toMatchObject({ plan_change: { type: "downgrade", proration_charge: null } });
  expect(await change()).toEqual(first);
  expect(asked).toEqual([]);
});

describe("billing", () => {
  test("goes on while the rail is away, and its codes follow once it is back", async () => {
    const made = await makeAccount();
    const plan = await aPlan(made);
    const tokens = [await anActive(made, plan), await anActive(made, plan), await anActive(made, plan)];
    answering = "lost";
    asked = [];
    await billAfter(made, 27);
    const [before] = (await shown(made, tokens[0] ?? "")).charges;
    expect(before).toMatchObject({ cycle_number: 2, status: "pending", payment: { pix_code: null } });
    expect(await announcedOf(made, tokens[0] ?? "")).toHaveLength(1); // its first charge

    answering = "at once";
    await makeCalls();
    for (const token of tokens) {
      const [charge] = (await shown(made, token)).charges;
      expect(charge?.payment.pix_code).toMatch(/^000201/);
      expect((await announcedOf(made, token))[1]).toEqual({ code: charge?.payment.pix_code, by: "system" });
      await payCode(made, charge?.payment.identifier ?? "");
      expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
    }
  });

  test("asks for no code of a charge that is void by now, and a code that comes too late is not shown", async () => {
    const made = await makeAccount();
    const plan = await aPlan(made);
    const [paused, late] = [await anActive(made, plan), await anActive(made, plan)];
    answering = "lost";
    await billAfter(made, 27);
    const { account } = await nowOf(made);
    const pause = (token: string) => pauseSubscription(account, { id: token, reason: null, resumes_at: null }, call());
    await pause(paused);
    answering = "never";
    asked = [];
    await makeCalls();
    expect(asked).toHaveLength(1);
    await pause(late);
    await makeCalls();
    const { accountId } = made;
    expect(await forAccount(accountId, (tx) => tx.call.count({ where: { doneAt: null } }))).toBe(0);
    const voided = { accountId, status: "expired", pixCode: null } as const;
    expect(await forAccount(accountId, (tx) => tx.transaction.count({ where: voided }))).toBe(2);
  });

  test("asks for a code in place of a card that is refused", async () => {
    const made = await makeShop();
    const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
    await putCard(made, token, "4000000000009979");
    asked = [];
    await advance(made, 31);
    const [charge] = (await shown(made, token)).charges;
    expect(asked).toHaveLength(1);
    expect(charge?.payment.pix_code).toMatch(/^000201/);
    await payCode(made, charge?.payment.identifier ?? "");
    expect(await shown(made, token)).toMatchObject({ status: "active" });
  });
});
