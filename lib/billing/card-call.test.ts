import { expect, onTestFinished, test } from "vitest";
import { cycleCharge } from "@/lib/billing/card-call";
import { asSystem, forAccount, pool } from "@/lib/db";
import { newId } from "@/lib/ids";
import { resolveCall } from "@/lib/outside/calls";
import { patience } from "@/lib/simulators/cards/routes";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { resendCharge } from "@/lib/subscriptions/resend";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { crashAt } from "@/lib/testing/program";
import { openRail, whileDown } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import {
  advance,
  aPlan,
  chargeCards,
  enrolledByCard,
  eventsOf,
  nowOf,
  payCode,
  putCard,
  shown,
} from "@/lib/testing/subscriptions";

openRail();

test("an upgrade whose charge never reached the acquirer has failed, and can be asked for again", async () => {
  const made = await makeShop();
  const byCard = { billing_method: "credit_card" };
  const { token } = await enrolledByCard(made, await aPlan(made, byCard));
  const better = await aPlan(made, { ...byCard, name: "Melhor", amount: "99.90" });
  const upgrade = async () =>
    changePlan((await nowOf(made)).account, { id: token, new_plan_token: better, reason: null }, call());
  await upgrade();
  await whileDown(() => chargeCards(made.accountId));
  const failed = await shown(made, token);
  expect(failed).toMatchObject({ status: "active", charges: [{ kind: "upgrade", status: "failed" }, {}] });
  expect(failed.allowed_actions).toContain("change_plan");
  expect((await eventsOf(made, token)).slice(-2)).toEqual(["cycle.created", "cycle.failed"]);

  await upgrade();
  await chargeCards(made.accountId);
  expect(await shown(made, token)).toMatchObject({ plan: { name: "Melhor" }, charges: [{ status: "paid" }, {}, {}] });
});

/** A subscription whose charge a card refused, for good unless another is named, and that has a new card since. */
async function withNewCard(number = "4111111111111111", refused = "4000000000009979") {
  const made = await makeShop();
  const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
  await putCard(made, token, refused);
  await advance(made, 31);
  const { status } = await shown(made, token);
  expect(status).toBe(refused === "4000000000009979" ? "suspended" : "overdue");
  await putCard(made, token, number);
  return { made, token };
}

/** The card sales of an account by their status. */
const cardSales = async ({ accountId }: Made) => {
  const sales = await forAccount(accountId, (tx) =>
    tx.transaction.findMany({ where: { method: "card" }, orderBy: { id: "asc" } }),
  );
  return sales.map(({ status }) => status);
};

test("a new card for what is suspended is tried again where its charge never arrived, and by another card at once", async () => {
  const { made, token } = await withNewCard();
  await whileDown(() => chargeCards(made.accountId));
  expect(await shown(made, token)).toMatchObject({ status: "suspended", charges: [{ status: "pending" }, {}] });
  await advance(made, 1);
  expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
  expect(await cardSales(made)).toEqual(["completed", "refused", "failed", "completed"]);

  const other = await withNewCard();
  await whileDown(() => chargeCards(other.made.accountId));
  await putCard(other.made, other.token, "4111111111111111");
  await chargeCards(other.made.accountId);
  await advance(other.made, 1);
  expect(await shown(other.made, other.token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
  expect(await cardSales(other.made)).toEqual(["completed", "refused", "failed", "completed"]);
});

test("a new card that is refused, and what is paid by code meanwhile, are not charged again", async () => {
  const refused = await withNewCard("4000000000000002");
  await advance(refused.made, 30);
  expect(await shown(refused.made, refused.token)).toMatchObject({ status: "suspended" });
  expect(await cardSales(refused.made)).toEqual(["completed", "refused", "refused"]);

  const { made, token } = await withNewCard();
  await whileDown(() => chargeCards(made.accountId));
  const { charge } = await resendCharge((await nowOf(made)).account, { id: token }, call());
  await payCode(made, charge.payment.identifier ?? "");
  await advance(made, 1);
  expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
  expect(await cardSales(made)).toEqual(["completed", "refused", "failed"]);
});

/** A card that the simulator refuses without an answer, so that its call stays open. */
const SILENT = "4000000000000259";

test.each([
  ["suspended", "4000000000009979"],
  ["overdue", "4000000000000002"],
])(
  "a card that is given while another is charged for what is %s is tried once that one is refused, and only once",
  async (status, refused) => {
    const { heldMs } = patience;
    Object.assign(patience, { heldMs: 0 });
    onTestFinished(() => void Object.assign(patience, { heldMs }));
    for (const [number, end] of [
      ["4111111111111111", "completed"],
      ["4000000000000002", "refused"],
    ] as const) {
      const { made, token } = await withNewCard(SILENT, refused);
      await chargeCards(made.accountId);
      await putCard(made, token, number);
      const [open] = await openCalls(made);
      expect(await chargeCards(made.accountId)).toBe(false);
      expect(await cardSales(made), "the first one is not known yet").toEqual(["completed", "refused", "pending"]);
      await Promise.all([open, open].map((one) => one && resolveCall(cycleCharge, one)));
      await Promise.all([chargeCards(made.accountId), chargeCards(made.accountId)]);
      expect(await cardSales(made)).toEqual(["completed", "refused", "refused", end]);
      expect(await shown(made, token)).toMatchObject({ status: end === "completed" ? "active" : status });
    }
  },
);

test("a card that is given while the charge of another still waits is charged in its place, once", async () => {
  const { made, token } = await withNewCard("4000000000000002");
  await putCard(made, token, "4000000000000002");
  await chargeCards(made.accountId);
  await chargeCards(made.accountId);
  expect(await cardSales(made)).toEqual(["completed", "refused", "refused"]);
});

test("a renewal is a sale of the card that it was charged on", async () => {
  const made = await makeShop();
  const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
  await putCard(made, token, "5555555555554444");
  await advance(made, 31);
  const [first, renewal] = await forAccount(made.accountId, (tx) =>
    tx.transaction.findMany({ orderBy: { id: "asc" } }),
  );
  expect(first).toMatchObject({ cardBrand: "visa", cardLast4: "1111" });
  expect(renewal).toMatchObject({ status: "completed", cardBrand: "mastercard", cardLast4: "4444" });
});

test("a first charge whose answer is not known yet is not to be paid by code as well", async () => {
  const { heldMs } = patience;
  Object.assign(patience, { heldMs: 0 });
  onTestFinished(() => void Object.assign(patience, { heldMs }));
  const made = await makeShop();
  const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }), SILENT);
  expect(await shown(made, token)).toMatchObject({ status: "pending_first_payment", allowed_actions: ["cancel"] });
  await expect(resendCharge(made.account, { id: token }, call())).rejects.toMatchObject({ code: "charge_not_open" });
});

test("charges that no acquirer is there for let the others pass", async () => {
  const made = await makeShop();
  const byCard = { billing_method: "credit_card" };
  const { token } = await enrolledByCard(made, await aPlan(made, byCard));
  const live = await makeAccount({ mode: "live" });
  const waiting = Array.from({ length: 100 }, () => ({
    ...{ accountId: live.accountId, id: newId(), kind: cycleCharge.name, provider: "cielo" },
    ...{ createdAt: new Date(0), dueAt: new Date(0) },
  }));
  await asSystem((tx) => tx.call.createMany({ data: waiting }));
  onTestFinished(async () => {
    await asSystem((tx) => tx.call.deleteMany({ where: { accountId: live.accountId } }));
  });
  const better = await aPlan(made, { ...byCard, name: "Melhor", amount: "99.90" });
  await changePlan(made.account, { id: token, new_plan_token: better, reason: null }, call());
  await chargeCards();
  expect((await shown(made, token)).charges[0]).toMatchObject({ kind: "upgrade", status: "paid" });
  while (await chargeCards());
  expect(await chargeCards(), "it rests before it tries them again").toBe(false);
});

/** Runs in a process of its own, which crashes at CRASH_AT. */
const CHARGE = `import { chargeCards } from "@/lib/testing/subscriptions";
  await chargeCards(process.env.ACCOUNT);
  process.exit(0);`;
const RESOLVE = `import { resolveCall } from "@/lib/outside/calls";
  import { cycleCharge } from "@/lib/billing/card-call";
  await resolveCall(cycleCharge, JSON.parse(process.env.CALL));
  process.exit(0);`;

/** The calls that were sent and whose outcome is unknown, each so old that it is lost where the acquirer does not know it. */
async function openCalls({ accountId }: Made) {
  await asSystem(
    (
      tx,
    ) => tx.$executeRaw`update calls set sent_at = sent_at - interval '16 minutes', asked_at = asked_at - interval '16 minutes'
      where account_id = ${accountId}::uuid and done_at is null`,
  );
  return forAccount(accountId, (tx) => tx.call.findMany({ where: { doneAt: null, sentAt: { not: null } } }));
}

test.each(["call.beginning", "call.begun", "call.answered", "call.finishing", "call.finished", "call.found"] as const)(
  "a crash at %s, while a new card is charged for what is suspended, charges it once",
  { timeout: 60_000 },
  async (point) => {
    const { made, token } = await withNewCard();
    const { accountId } = made;
    if (point === "call.found") {
      await crashAt("call.begun", CHARGE, { ACCOUNT: accountId });
      const [open] = await openCalls(made);
      await crashAt(point, RESOLVE, { CALL: JSON.stringify({ accountId, id: open?.id }) });
    } else await crashAt(point, CHARGE, { ACCOUNT: accountId });

    const open = await openCalls(made);
    await Promise.all([...open, ...open].map((one) => resolveCall(cycleCharge, one)));
    await Promise.all([chargeCards(accountId), chargeCards(accountId)]);
    await advance(made, 1);
    expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
    const lost = point === "call.begun" || point === "call.found" ? ["failed"] : [];
    expect(await cardSales(made)).toEqual(["completed", "refused", ...lost, "completed"]);
    const charged = "select count(*)::int as count from simulator_charges where id = any($1) and status = 'approved'";
    const sales = await forAccount(accountId, (tx) => tx.transaction.findMany({ select: { id: true } }));
    const { rows } = await pool().query(charged, [sales.map(({ id }) => id)]);
    expect(rows, "the first cycle and this one").toEqual([{ count: 2 }]);
  },
);
