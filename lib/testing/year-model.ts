import { rounded, type Sale } from "@/lib/testing/year-books";
import type { Card, Plan, Plans, Script, Verb } from "@/lib/testing/year-scripts";

/**
 * What the rules of billing make of one subscription, by whole days: what falls due does so
 * when a day begins, what may be done on a day may be done until the next one begins, and people act at noon. It shares
 * nothing with the program, so that both are wrong only together.
 */
type Status = "pending_first_payment" | "active" | "overdue" | "suspended" | "cancelled";
type Owed = { kind: "cycle" | "upgrade"; number: number; plan: string; cents: number; due: number; expires: number };
type Charge = Owed & { status: "pending" | "paid" | "expired" | "failed"; paidOn: number | null; retries: number };
/** A Pix code. The one that is open is its charge's; the others are void, and can still be paid. */
type Code = { charge: Charge; isPaid: boolean };
type On = number | null;
const gapAfter = (retries: number) => [2, 5, 7][retries] ?? 7;
const ladder = (retries: number): number => (retries === 0 ? 0 : ladder(retries - 1) + gapAfter(retries - 1));

/** A script's subscription until the end of a day. */
export function live({ plan: first, enrols, card: firstCard = "good", actions }: Script, plans: Plans, until: number) {
  let [day, status, plan, card]: [number, Status, string, Card] = [enrols, "pending_first_payment", first, firstCard];
  let [anchor, anchorNumber, next, left] = [0, 1, 1, 0];
  let [owed, newPlan, isPaused]: [Charge | null, string | null, boolean] = [null, null, false];
  let [resumes, ends, retryOn, debit]: [On, On, On, "ordered" | "resting" | null] = [null, null, null, null];
  let suspendedOn = 0;
  const [events, refused, charges, sales]: [string[], string[], Charge[], Sale[]] = [[], [], [], []];
  const [codes, open, unmatched]: [Code[], Map<Charge, Code>, number[]] = [[], new Map(), []];
  const of = (name: string) => plans[name] as Plan;
  const isByCard = of(first).method === "card";
  let mandate: "offered" | "approved" | null = of(first).method === "debit" ? "offered" : null;
  let isFunded = true;
  const isDue = (on: On) => on !== null && on <= day;
  const dueDay = (number: number) => anchor + (number - anchorNumber) * of(plan).days;
  const ahead = () => (mandate === "approved" ? Math.min(10, Math.max(2, of(plan).advance)) : of(plan).advance);
  const unpaidFrom = () => (owed?.kind === "cycle" ? owed.due : (ends ?? dueDay(next)));
  const emit = (type: string, about?: Charge | null) =>
    void events.push(`${day} ${type} ${status}${about ? ` ${about.number}:${about.status}` : ""}`);
  function owe(charge: Owed) {
    owed = { ...charge, status: "pending", paidOn: null, retries: 0 };
    charges.push(owed);
    if (mandate === "approved" && charge.kind === "cycle" && charge.due - day >= 2) {
      [debit, retryOn] = ["ordered", charge.due];
    } else if (!isByCard) issue(owed);
    emit("cycle.created", owed);
    return owed;
  }
  function oweCycle(due: number) {
    if (newPlan) moveTo(newPlan, due);
    const { grace, retries, cents } = of(plan);
    const tries = mandate === "approved" ? 7 : ladder(retries);
    const days = isByCard || mandate === "approved" ? tries + grace : grace;
    const expires = 1 + (due + days >= day ? due + days : day + days);
    next += 1;
    return owe({ kind: "cycle", number: next - 1, plan, cents, due, expires });
  }
  function issue(charge: Charge) {
    const code = { charge, isPaid: false };
    codes.push(code);
    open.set(charge, code);
    charge.status = "pending";
  }
  function expire(charge: Charge) {
    open.delete(charge);
    charge.status = "expired";
    retryOn = debit = null;
  }
  function drop() {
    if (owed) expire(owed);
    owed = null;
  }
  function moveTo(name: string, due: number) {
    [anchor, anchorNumber, plan, newPlan] = [due, next, name, null];
    emit("subscription.plan_changed");
  }
  /** Whether money for a charge still buys what it was for. */
  function counts(charge: Charge) {
    if (charge.status === "paid" || charge.status === "failed") return false;
    if (charge === owed) return true;
    if (charge.kind === "cycle") return charge.plan === plan && (!owed || owed.kind === "cycle");
    const isAsBefore = charge.number === next - 1 && anchorNumber < next && newPlan === null;
    if (status !== "active" || owed || ends !== null || !isAsBefore) return false;
    return charge.cents === difference(charge.plan, dueDay(next) - charge.due);
  }
  /** What so many days of another plan cost more. */
  function difference(name: string, days: number) {
    const [from, to] = [of(plan), of(name)];
    return rounded((to.cents * from.days - from.cents * to.days) * Math.max(0, days), from.days * to.days);
  }
  function receive(code: Code | undefined) {
    if (!code) return;
    if (counts(code.charge)) {
      code.isPaid = true;
      pay(code.charge, "pix");
    } else {
      if (code.charge.status !== "paid") code.charge.status = "failed";
      unmatched.push(code.charge.cents);
    }
    if (code !== codes[0] || mandate !== "offered") return;
    mandate = "approved";
    emit("mandate.activated");
  }
  function pay(charge: Charge, method: Sale["method"]) {
    const [isLate, before, was] = [charge !== owed, status, owed];
    sales.push({ method, plan: charge.plan, cents: charge.cents, day });
    open.delete(charge);
    Object.assign(charge, { status: "paid", paidOn: day });
    emit("cycle.paid", charge);
    if (!isLate) owed = retryOn = debit = null;
    if (charge.kind === "upgrade") return moveTo(charge.plan, dueDay(next));
    if (isLate && !owed) return lengthen(charge);
    drop();
    status = "active";
    if (before === "pending_first_payment") {
      [anchor, anchorNumber] = [day, charge.number];
      return emit("subscription.activated", charge);
    }
    if (before === "suspended" && was) endSuspension(was.due);
    if (before !== "active") emit("subscription.reactivated", charge);
    emit("subscription.renewed", charge);
  }
  /** Days that were had before it count, so what is paid ends no later than the rest of its period from now on. */
  function endSuspension(due: number) {
    while (dueDay(next) < day) next += 1;
    const rest = Math.max(0, of(plan).days - Math.max(0, suspendedOn - due));
    if (day + rest < dueDay(next)) [anchor, anchorNumber] = [day + rest, next];
  }
  /** What is paid lasts a period longer. */
  function lengthen(charge: Charge) {
    const { days } = of(charge.plan);
    if (status === "cancelled") return;
    if (isPaused) left += days;
    else if (ends === null) anchor += days;
    else ends += days;
    if (!isPaused) emit("subscription.renewed", charge);
  }
  function attempt(charge: Charge) {
    if (debit ? isFunded : card === "good") return pay(charge, debit ? "pix" : "card");
    emit("cycle.failed", charge);
    if (charge.kind === "upgrade" || status === "pending_first_payment") {
      charge.status = "failed";
      owed = null;
      if (status === "pending_first_payment") cancel();
    } else if (status !== "suspended") {
      if (status !== "overdue") become("overdue");
      const isOver = card === "hard" || charge.retries >= Math.min(of(plan).retries, debit ? 3 : Infinity);
      retryOn = isOver ? null : day + (debit ? 2 : gapAfter(charge.retries));
      debit = debit && !isOver ? "resting" : null;
      if (!open.has(charge)) issue(charge);
      if (isOver) become("suspended");
    }
  }
  function become(to: "overdue" | "suspended") {
    status = to;
    if (to === "suspended") suspendedOn = day;
    emit(`subscription.${to}`, owed);
  }
  function cancel(type = "cancelled") {
    drop();
    [status, ends, resumes, newPlan] = ["cancelled", null, null, null];
    emit(`subscription.${type}`);
    if (mandate) endMandate();
  }
  function endMandate() {
    mandate = null;
    emit("mandate.cancelled");
  }
  function resume() {
    [anchor, anchorNumber, left, status, isPaused, resumes] = [day + left, next, 0, "active", false, null];
    emit("subscription.reactivated");
  }
  /** What falls due by itself next, if anything does. */
  function due(): (() => unknown) | false {
    const charge = owed;
    if (status === "cancelled") return false;
    if (charge && debit === "ordered") return isDue(retryOn) && (() => attempt(charge));
    if (status === "pending_first_payment") return isDue(charge?.expires ?? null) && (() => cancel("expired"));
    if (isDue(ends) && status !== "overdue") return () => cancel();
    if (!charge && status === "suspended") return isDue(resumes) && resume;
    if (!charge) return ends === null && isDue(dueDay(next) - ahead()) && (() => oweCycle(dueDay(next)));
    if (charge.kind === "upgrade") return isDue(charge.expires) && drop;
    if (status === "active")
      return isDue(isByCard ? charge.due : charge.due + 1) && (() => (isByCard ? attempt(charge) : fallDue(charge)));
    if (status === "suspended") return charge.status === "pending" && isDue(charge.expires) && (() => expire(charge));
    if (!isByCard && isDue(charge.expires)) return () => [expire(charge), become("suspended")];
    return isDue(retryOn) && (() => retry(charge));
  }
  function fallDue(charge: Charge) {
    become("overdue");
    const planned = charge.due + gapAfter(0);
    retryOn = of(plan).retries === 0 ? null : planned > day ? planned : day + gapAfter(0);
  }
  /** In the evening before its day, a debit is ordered once more. */
  function orderAgain(charge: Charge) {
    if (mandate !== "approved") retryOn = debit = null;
    else {
      [debit, charge.retries] = ["ordered", charge.retries + 1];
      emit("cycle.retried", charge);
    }
  }
  function retry(charge: Charge) {
    charge.retries += 1;
    retryOn = !isByCard && charge.retries < of(plan).retries ? day + gapAfter(charge.retries) : null;
    if (!isByCard) issue(charge);
    emit("cycle.retried", charge);
    if (isByCard) attempt(charge);
  }
  function takeSteps() {
    for (let step = due(); step; step = due()) step();
  }
  /** What people do; false where it is not allowed. */
  const verbs: Record<Verb, (what?: string | number) => unknown> = {
    pay: () => receive(owed ? open.get(owed) : undefined),
    "pay old": () => receive(codes.findLast((code) => !code.isPaid && open.get(code.charge) !== code)),
    cancel: () => status !== "cancelled" && cancel(),
    "cancel at end"() {
      if (status !== "active" || unpaidFrom() <= day) return verbs.cancel();
      const end = unpaidFrom();
      drop();
      if (end === ends) return;
      ends = end;
      emit("subscription.ending");
    },
    pause(to) {
      if ((status !== "active" && status !== "overdue") || ends !== null) return false;
      left = Math.max(0, unpaidFrom() - day);
      drop();
      [isPaused, resumes] = [true, to === undefined ? null : Number(to)];
      become("suspended");
    },
    resume: () => status === "suspended" && isPaused && resume(),
    resend() {
      if (!owed || isPaused || status === "active") return false;
      if (status === "suspended") owed.expires = Math.max(owed.expires, day + of(plan).grace + 1);
      issue(owed);
      emit("cycle.created", owed);
    },
    change(what) {
      const [from, to, name] = [of(plan), of(String(what)), String(what)];
      if (status !== "active" || owed || ends !== null || name === plan) return false;
      const [before, after] = [from.cents * to.days, to.cents * from.days];
      newPlan = after > before ? null : name;
      if (after <= before) return;
      const cents = difference(name, dueDay(next) - day);
      if (cents === 0) return moveTo(name, dueDay(next));
      const expires = Math.min(day + to.grace + 1, dueDay(next) - ahead());
      const charge = owe({ kind: "upgrade", number: next - 1, plan: name, cents, due: day, expires });
      if (isByCard) attempt(charge);
    },
    card(what) {
      if (!isByCard || status === "pending_first_payment" || status === "cancelled") return false;
      card = what as Card;
      if (owed && (status === "overdue" || status === "suspended")) attempt(owed);
    },
    funds(what) {
      isFunded = what === "enough";
    },
    "end mandate": () => mandate === "approved" && debit !== "ordered" && endMandate(),
  };
  emit("subscription.created");
  const charge = oweCycle(day);
  if (isByCard) attempt(charge);
  for (; day <= until; day += 1) {
    takeSteps();
    for (const [, verb, what] of actions.filter(([on]) => on === day)) {
      if (verbs[verb](what) === false) refused.push(`${day} ${verb}`);
      takeSteps();
    }
    if (owed && debit === "resting" && retryOn === day + 1 && day < until) orderAgain(owed);
  }
  return { status: status as Status, plan, events, refused, charges, sales, unmatched };
}
