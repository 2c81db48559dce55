import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountContext } from "@/lib/accounts/context";
import { startOf } from "@/lib/billing/calendar";
import { issueCode, makeCycle, requestCardCharge, todayOf } from "@/lib/billing/charge";
import { mayPay } from "@/lib/billing/pay-cycles";
import type { LoadedSubscription, Offer } from "@/lib/billing/subscription";
import { nextChargeAt } from "@/lib/billing/subscription";
import { beginChange, type SubscriptionChange } from "@/lib/billing/subscription-change";
import type { Cycle, Subscription } from "@/lib/billing/tables";
import { runDueTimers } from "@/lib/billing/timers";
import { cancelLater, failAttempt, pauseNow, payCycle, resumeNow } from "@/lib/billing/transitions";
import { newId } from "@/lib/ids";
import { type Action, actions } from "@/lib/subscriptions/actions";
import { takeOffer } from "@/lib/subscriptions/change-plan";
import { standingOf } from "@/lib/subscriptions/present";
import type { BillingMethod } from "@/prisma/client/enums";

const ZONE = "America/Sao_Paulo";
const NO_FEE = { basisPoints: 0, fixed: 0, minimum: 0 };
const DAY_MS = 86_400_000;
const DAY_ZERO = startOf("2027-01-01", ZONE, 12).getTime();

/** What is sold: two versions of a cheap month, a dear month, a week, and a month of a day more. */
const sold = {
  month: [1_000, 30, 1],
  "month, dearer": [1_100, 30, 2],
  "dear month": [100_000, 30, 1],
  week: [1_337, 7, 1],
  "31 days": [4_999, 31, 1],
} as const;
type Name = keyof typeof sold;
const names = Object.keys(sold) as Name[];
/** All periods divide it, so a day of any plan is a whole number of parts of a cent. */
const PARTS = 30 * 7 * 31;
const ids = new Map(names.map((name) => [name, newId()]));
ids.set("month, dearer", ids.get("month") ?? "");

type Move =
  | { move: "days"; days: number }
  | { move: "pay" | "resend" | "pause" | "resume" | "cancel" | "approve" | "refuse" | "refuse for good" }
  | { move: "pay old"; which: number }
  | { move: "change"; to: Name };

/** One subscription, by the functions of the program and without a database. */
function begin(first: Name, method: BillingMethod) {
  const account = {
    ...{ id: newId(), timeZone: ZONE, mode: "sandbox", status: "approved", name: "Loja", city: null },
    fees: { pix: NO_FEE, card: NO_FEE },
  } as unknown as AccountContext;
  const offerOf = (name: Name): Offer & { planVersion: number } => {
    const [cents, periodicityDays, planVersion] = sold[name];
    const terms = { billingAdvanceDays: 5, gracePeriodDays: 9, maxRetryAttempts: 3, billingMethod: method };
    const plan = { id: ids.get(name) ?? "", productId: null, name, product: null, splits: [] };
    return {
      ...{ planVersion, plan: plan as unknown as Offer["plan"] },
      terms: { ...terms, amount: BigInt(cents), periodicityDays, billingAdvanceDays: Math.min(5, periodicityDays - 1) },
    };
  };
  const nameOf = ({ planId, planVersion }: Pick<Cycle, "planId" | "planVersion">) =>
    names.find((name) => ids.get(name) === planId && sold[name][2] === planVersion) as Name;
  const offer = offerOf(first);
  let day = 0;
  let loaded: Omit<LoadedSubscription, "now"> = {
    ...{ account, mandate: null, card: null, newOffer: null, offer, cycle: null },
    subscription: {
      ...{ id: newId(), accountId: account.id, planId: offer.plan.id, planVersion: offer.planVersion, productId: null },
      email: "ana@example.com",
      ...{ status: "pending_first_payment", anchor: null, anchorCycle: 1, nextCycle: 1, cycleId: null },
      ...{ newPlanId: null, newPlanVersion: null, pausedAt: null, resumesAt: null, endsAt: null, suspendedAt: null },
      ...{ paidDaysLeft: null, storedCardId: method === "credit_card" ? newId() : null },
    } as unknown as Subscription,
  };
  const cycles = new Map<string, Cycle>();
  const codes: { id: string; cycleId: string }[] = [];
  function change(act: (change: SubscriptionChange) => void) {
    const one = beginChange({ ...loaded, now: new Date(DAY_ZERO + day * DAY_MS) });
    act(one);
    runDueTimers(one);
    for (const [id, cycle] of one.cycles) cycles.set(id, cycle);
    for (const { id, cycleId, method: by } of one.sales) if (by === "pix") codes.push({ id, cycleId: cycleId ?? "" });
    const { subscription, cycle, offer: now, newOffer } = one;
    loaded = { ...loaded, subscription, cycle, offer: now, newOffer };
  }
  const may = (action: Action) => actions[action](standingOf(loaded));
  const doNothing = () => undefined;
  change((one) => {
    const cycle = makeCycle(one, todayOf(one));
    if (method === "credit_card") requestCardCharge(one, cycle);
    else issueCode(one, cycle);
  });
  /** Pays by a sale; returns what it paid for, or nothing where it buys nothing. */
  function receive(id: string, cycleId: string) {
    let paid: Cycle | undefined;
    change((one) => {
      const known = one.cycle?.id === cycleId ? one.cycle : { ...(cycles.get(cycleId) as Cycle) };
      const of = offerOf(nameOf(known));
      if (!mayPay(one, known, of)) return;
      payCycle(one, known, { id, paidAt: one.now }, of);
      paid = known;
    });
    return paid;
  }
  const answer = (how: (one: SubscriptionChange, cycle: Cycle) => void) => {
    if (loaded.cycle?.chargingSaleId) change((one) => one.cycle && how(one, one.cycle));
  };
  return {
    nextDay() {
      day += 1;
      change(doNothing);
    },
    /** What the API shows, in days. */
    look() {
      const { subscription, offer: now } = loaded;
      const next = nextChargeAt(loaded) ?? subscription.endsAt;
      const { status, pausedAt, paidDaysLeft } = subscription;
      const until = next && Math.floor((next.getTime() - DAY_ZERO) / DAY_MS + 1) - day;
      const plan = nameOf({ planId: now.plan.id, planVersion: subscription.planVersion });
      return { status, plan, ahead: pausedAt ? (paidDaysLeft ?? 0) : until };
    },
    /** Plays a move, and returns the charge that it paid. */
    play(move: Exclude<Move, { move: "days" }>): Cycle | undefined {
      const owed = loaded.cycle;
      switch (move.move) {
        case "pay":
          if (!owed?.codeSaleId && may("resend_charge")) change((one) => one.cycle && issueCode(one, one.cycle));
          return loaded.cycle?.codeSaleId ? receive(loaded.cycle.codeSaleId, loaded.cycle.id) : undefined;
        case "pay old": {
          const old = codes.filter(({ id }) => id !== owed?.codeSaleId);
          const code = old[move.which % Math.max(1, old.length)];
          return code && receive(code.id, code.cycleId);
        }
        case "approve":
          return owed?.chargingSaleId ? receive(owed.chargingSaleId, owed.id) : undefined;
        case "refuse":
        case "refuse for good":
          answer((one, cycle) => failAttempt(one, cycle, move.move === "refuse for good"));
          return undefined;
        case "resend":
          if (may("resend_charge")) change((one) => one.cycle && issueCode(one, one.cycle));
          return undefined;
        case "pause":
          if (may("pause")) change((one) => pauseNow(one, null));
          return undefined;
        case "resume":
          if (may("reactivate")) change(resumeNow);
          return undefined;
        case "cancel":
          if (may("cancel") && loaded.subscription.status === "active") change(cancelLater);
          return undefined;
        case "change": {
          const isOwn = nameOf(loaded.subscription) === move.to;
          if (may("change_plan") && !isOwn) change((one) => void takeOffer(one, offerOf(move.to)));
          return undefined;
        }
      }
    },
  };
}

const priceOf = (name: Name) => (sold[name][0] * PARTS) / sold[name][1];

/**
 * The rule, written apart from the program: the days that were had and those that lie ahead, each at its plan's price,
 * never cost more than was paid. A day that is had and owed counts once it is settled by a payment; a pause or an end
 * forgives it. What an upgrade costs is rounded once, by half a cent at most.
 */
function audit(subscription: ReturnType<typeof begin>) {
  let [paid, had, owing, upgrades] = [0, 0, 0, 0];
  let before = subscription.look();
  return {
    nextDay() {
      const { status, plan, ahead } = subscription.look();
      if (status === "active" || status === "overdue") {
        if ((ahead ?? 0) > 0) had += priceOf(plan);
        else owing += priceOf(plan);
      }
    },
    settle(cycle: Cycle | undefined) {
      const now = subscription.look();
      if (cycle) paid += Number(cycle.amount) * PARTS;
      if (cycle?.kind === "cycle") [had, owing] = [had + Math.min(owing, Number(cycle.amount) * PARTS), 0];
      if (now.status === "suspended" && now.ahead !== null) owing = 0;
      if (now.status === "cancelled") owing = 0;
      if (now.plan !== before.plan) upgrades += 1;
      before = now;
    },
    /** By how many parts of a cent more was got than paid for. */
    excess() {
      const { status, plan, ahead } = subscription.look();
      const left = status === "cancelled" || ahead === null ? 0 : Math.max(0, ahead) * priceOf(plan);
      return had + left - paid - (upgrades * PARTS) / 2;
    },
  };
}

const pass = fc.integer({ min: 1, max: 30 }).map((days): Move => ({ move: "days", days }));
const payOld = fc.nat(30).map((which): Move => ({ move: "pay old", which }));
const change = fc.constantFrom("dear month" as const, ...names).map((to): Move => ({ move: "change", to }));
const one = (...list: Exclude<Move["move"], "days" | "pay old" | "change">[]) =>
  fc.constantFrom(...list).map((move) => ({ move }) as Move);

/** What people do next: most of it goes on from what they did before, so that codes are kept and plans are changed. */
const chapter = fc.oneof(
  { arbitrary: fc.tuple(pass), weight: 3 },
  { arbitrary: fc.tuple(pass, one("pay")), weight: 2 },
  { arbitrary: fc.tuple(one("pay")), weight: 3 },
  { arbitrary: fc.tuple(one("pause"), one("resume")), weight: 3 },
  { arbitrary: fc.tuple(one("pause"), pass, one("resume")), weight: 1 },
  { arbitrary: fc.tuple(one("pay"), change, one("pay")), weight: 3 },
  { arbitrary: fc.tuple(one("pay"), change, pass), weight: 1 },
  { arbitrary: fc.array(payOld, { minLength: 1, maxLength: 4 }), weight: 4 },
  { arbitrary: fc.tuple(one("approve", "approve", "refuse", "refuse for good")), weight: 2 },
  { arbitrary: fc.tuple(one("resend", "resend", "resend", "cancel")), weight: 1 },
);
const chapters = fc.array(chapter, { minLength: 5, maxLength: 22, size: "max" }).map((list): Move[] => list.flat());

test("no order of pause, resume, change, resend, time and late payment gives more paid days than the cents that were paid", {
  timeout: 60_000,
}, () => {
  let late = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.constantFrom<BillingMethod>("qr_code", "qr_code", "credit_card"),
      chapters,
      (first, method, list) => {
        const subscription = begin(first, method);
        const books = audit(subscription);
        function assertPaid() {
          if (books.excess() > 0) throw new Error(`${books.excess() / PARTS} cents of days more than were paid`);
        }
        const play = (move: Exclude<Move, { move: "days" }>) => {
          const cycle = subscription.play(move);
          if (cycle && move.move === "pay old") late += 1;
          books.settle(cycle);
          assertPaid();
        };
        play({ move: method === "credit_card" ? "approve" : "pay" });
        for (const move of list) {
          if (move.move !== "days") play(move);
          else {
            for (let day = 0; day < move.days; day += 1) {
              books.nextDay();
              subscription.nextDay();
              books.settle(undefined);
              assertPaid();
            }
          }
        }
      },
    ),
    { numRuns: Number(process.env.PAID_DAYS_RUNS ?? 300), seed: Number(process.env.PAID_DAYS_SEED ?? 5) },
  );
  expect(late).toBeGreaterThan(40);
});
