import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { billDue } from "@/lib/billing/bill-due";
import { subscriptionTransitions } from "@/lib/billing/states";
import { asSystem, forAccount, pool } from "@/lib/db";
import { completeDeposit, completeDuePayments } from "@/lib/deposits/complete";
import { pollRail } from "@/lib/deposits/poll";
import { railFor } from "@/lib/rails/pix/rails";
import { simulator } from "@/lib/rails/pix/simulator/adapter";
import { reconcile } from "@/lib/reconcile/reconcile";
import { statusesAfter } from "@/lib/states";
import type { Made } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { chargeCards, orderDebits, saleOf } from "@/lib/testing/subscriptions";
import { act, enrolIn, openYear, type Year } from "@/lib/testing/year";
import { type Action, type Card, type Method, plans, type Verb } from "@/lib/testing/year-scripts";
import type { CycleStatus, SubscriptionStatus } from "@/prisma/client/enums";

/** reconcile() is of all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
let year: Year;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
  year = await openYear(plans);
});
afterAll(async () => {
  await rail.close();
  await drop();
});

/** A worker bills, charges cards, asks the rail about debits, or the clock jumps without anybody having looked. */
type Work = { work: "bill" | "charge" | "debit" | "jump"; days?: number };
/** How old a payment is at most whose callback may be lost. */
const RECENT_MS = 600_000;
type Move = { verb: Verb; what?: string } | Work;

const verb = (...verbs: Verb[]) => fc.constantFrom(...verbs).map((one): Move => ({ verb: one }));
const card = fc.constantFrom<Card>("good", "good", "soft", "hard").map((what): Move => ({ verb: "card", what }));
const funds = fc.constantFrom("enough", "none").map((what): Move => ({ verb: "funds", what }));
const worker = fc.constantFrom(...(["bill", "bill", "charge", "debit"] as const)).map((work): Move => ({ work }));
const jump = fc.integer({ min: 1, max: 20 }).map((days): Move => ({ work: "jump", days }));
const ownMoves: Record<Method, fc.Arbitrary<Move>[]> = { pix: [], card: [card], debit: [funds, verb("end mandate")] };
const moveOf = (method: Method) => {
  const names = Object.keys(plans).filter((name) => plans[name]?.method === method);
  const change = fc.constantFrom(...names).map((what): Move => ({ verb: "change", what }));
  const people = verb("pay", "pay", "pay", "pay old", "resend", "resend", "pause", "resume", "cancel", "cancel at end");
  return fc.oneof({ arbitrary: people, weight: 4 }, change, ...ownMoves[method], worker, worker, jump);
};

/** Rounds of what happens at once. */
const rounds = (method: Method) =>
  fc.array(fc.array(moveOf(method), { minLength: 2, maxLength: 7 }), { minLength: 2, maxLength: 8 });
const lives = fc.oneof(
  fc.record({ plan: fc.constantFrom("pix 7", "pix 30", "pix 31"), rounds: rounds("pix") }),
  fc.record({ plan: fc.constantFrom("card 7", "card 30", "card 31"), rounds: rounds("card") }),
  fc.record({ plan: fc.constantFrom("debit 7", "debit 7 plus"), rounds: rounds("debit") }),
);

/** Pays a code, and completes the payment twice at once, as a callback and a poll do. */
const payer = (payments: string[]) => async (made: Made, saleId: string) => {
  const { pixCode } = await saleOf(made.accountId, saleId);
  const receipt = await railFor("sandbox")?.pay?.({ code: pixCode ?? "" });
  const payment = { provider: "simulator", endToEndId: receipt?.endToEndId ?? "" };
  payments.push(payment.endToEndId);
  await Promise.all([completeDeposit(payment), completeDeposit(payment)]);
};

async function work(what: Work): Promise<unknown> {
  const { accountId } = year.made;
  if (what.work === "bill") return Promise.all([billDue()(accountId), billDue()(accountId)]);
  if (what.work === "debit") return Promise.all([orderDebits(accountId), orderDebits(accountId)]);
  if (what.work === "charge") return Promise.all([chargeCards(accountId), chargeCards(accountId)]);
  const increment = BigInt(what.days ?? 1) * 86_400_000n;
  return forAccount(accountId, (tx) =>
    tx.account.update({ where: { id: accountId }, data: { clockOffsetMs: { increment } } }),
  );
}

async function settle(accountId: string) {
  do {
    while (await billDue()(accountId));
    await chargeCards(accountId);
    await asSystem((tx) => tx.call.updateMany({ where: { accountId, doneAt: null }, data: { dueAt: new Date() } }));
    while (await orderDebits(accountId));
    await pollRail(simulator, RECENT_MS, 0);
    while (await completeDuePayments());
  } while (await forAccount(accountId, (tx) => tx.call.count({ where: { doneAt: null } })));
}

test("whatever is done at once, the tables of states allow what comes of it, one charge is open at most, and money counts once", {
  timeout: 300_000,
}, async () => {
  const { accountId } = year.made;
  await fc.assert(
    fc.asyncProperty(lives, async ({ plan, rounds }) => {
      const token = await enrolIn(year, { plan, enrols: 0, actions: [] });
      const payments: string[] = [];
      const payCode = payer(payments);
      await act(year, token, [0, "pay"], payCode);
      for (const moves of rounds) {
        await Promise.all(
          moves.map((move) =>
            "work" in move ? work(move) : act(year, token, [0, move.verb, move.what] as Action, payCode),
          ),
        );
        await assertState(accountId, token);
      }
      await settle(accountId);
      await assertState(accountId, token);
      await assertMoney(accountId, token, payments);
    }),
    {
      numRuns: Number(process.env.AT_ONCE_RUNS ?? 25),
      seed: Number(process.env.AT_ONCE_SEED ?? 11),
      endOnFailure: true,
    },
  );
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
});

async function assertState(accountId: string, id: string) {
  const [row, cycles, events] = await forAccount(accountId, (tx) =>
    Promise.all([
      tx.subscription.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }),
      tx.cycle.findMany({ where: { subscriptionId: id } }),
      tx.event.findMany({ where: { subjectId: id }, orderBy: { id: "asc" } }),
    ]),
  );
  expect(cycles.filter(({ status }) => status === "pending").length).toBeLessThanOrEqual(1);
  const numbers = cycles.filter(({ kind }) => kind === "cycle").map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  const owed = cycles.find((cycle) => cycle.id === row.cycleId);
  if (row.cycleId) expect(["pending", "expired"]).toContain(owed?.status);
  for (const pending of cycles.filter(({ status }) => status === "pending")) expect(pending.id).toBe(row.cycleId);

  const moves = events.map(({ data }) => data as { status: SubscriptionStatus; charge: Charge | null });
  const statuses = [...moves.map(({ status }) => status), row.status];
  for (const [place, status] of statuses.entries()) {
    const before = statuses[place - 1] ?? status;
    expect([before, ...statusesAfter(subscriptionTransitions, before)], statuses.join(" ")).toContain(status);
  }
  const paid = moves.flatMap(({ charge }) => (charge?.status === "paid" ? [charge.number] : []));
  for (const number of paid)
    expect(cycles.some((cycle) => cycle.number === number && cycle.status === "paid")).toBe(true);
}

type Charge = { number: number; status: CycleStatus };

/** Every payment that arrived completed one sale, whose cycle it paid, or waits for the operator. */
async function assertMoney(accountId: string, subscriptionId: string, payments: readonly string[]) {
  const sales = await forAccount(accountId, (tx) => tx.transaction.findMany({ where: { subscriptionId } }));
  const { rows: charges } = await pool().query<{ id: string }>(
    "select id from simulator_charges where status = 'approved' and id = any($1::uuid[])",
    [sales.filter(({ method }) => method === "card").map(({ id }) => id)],
  );
  const approved = charges.map(({ id }) => id);
  const { rows: debited } = await pool().query<{ end_to_end_id: string }>(
    "select end_to_end_id from simulator_pix where txid = any($1::text[])",
    [sales.flatMap(({ txid, pixCode }) => (txid && !pixCode ? [txid] : []))],
  );
  const arrived = [...payments, ...approved, ...debited.map(({ end_to_end_id: id }) => id)];
  const unmatched = await asSystem((tx) => tx.unmatchedReceipt.findMany({ where: { endToEndId: { in: arrived } } }));
  const completed = sales.filter(({ status }) => status === "completed");
  const counted = [
    ...unmatched.map(({ endToEndId }) => endToEndId),
    ...completed.map(({ method, id, endToEndId }) => (method === "card" ? id : endToEndId)),
  ];
  expect(counted.sort()).toEqual(arrived.sort());
  expect(new Set(completed.map(({ cycleId }) => cycleId)).size).toBe(completed.length);
}
