import { generateCpf } from "@brazilian-utils/brazilian-utils";
import { Temporal } from "temporal-polyfill";
import { asSystem, forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { readBalances } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import { refreshMandate } from "@/lib/mandates/report";
import type { PixRail } from "@/lib/rails/pix/port";
import { railFor } from "@/lib/rails/pix/rails";
import { InviteInput } from "@/lib/splits/schema";
import { acceptSplit } from "@/lib/subscription-splits/answer";
import { inviteToPlan } from "@/lib/subscription-splits/invite";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { pauseSubscription, resumeSubscription } from "@/lib/subscriptions/pause";
import { resendCharge } from "@/lib/subscriptions/resend";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { makeShop } from "@/lib/testing/shop";
import { aPlan, enrolled, enrolledByCard, nowOf, putCard } from "@/lib/testing/subscriptions";
import type { Fees } from "@/lib/testing/year-books";
import type { Action, Card, Plan, Plans, Script } from "@/lib/testing/year-scripts";
import type { Mode } from "@/prisma/client/enums";

// Plays the scripts of the model (year-model.ts) with the program, on the account's clock.

const ZONE = "America/New_York"; // its clocks change twice a year, which those of Brazil no longer do
const NUMBERS: Record<Card, string> = { good: "4111111111111111", soft: "4000000000009995", hard: "4000000000009979" };
export const SETTLE_DAYS = 30;
export const fees: Fees = { pix: [100, 11, 50], card: [349, 39, 0] };

/** A seller with the plans of the model and a recipient for each name in their shares. */
export async function openYear(plans: Plans, mode: Mode = "sandbox") {
  const shop = await makeShop({ available: 0, mode });
  const names = [...new Set(Object.values(plans).flatMap(({ shares }) => Object.keys(shares)))];
  const recipients = new Map<string, Made>();
  for (const name of names) recipients.set(name, await makeAccount({ mode }));
  const [pix, card] = [fees.pix, fees.card];
  await forAccount(shop.accountId, (tx) =>
    tx.account.update({
      where: { id: shop.accountId },
      data: {
        ...{ timeZone: ZONE, cardSettlementDays: SETTLE_DAYS },
        ...{ pixFeeBasisPoints: pix[0], pixFeeFixed: pix[1], pixFeeMinimum: pix[2] },
        ...{ cardFeeBasisPoints: card[0], cardFeeFixed: card[1], cardFeeMinimum: card[2] },
      },
    }),
  );
  const made = await nowOf(shop);
  const tokens = new Map<string, string>();
  for (const [name, plan] of Object.entries(plans)) tokens.set(name, await openPlan(made, name, plan, recipients));
  const firstDay = Temporal.Now.plainDateISO(ZONE).add({ days: 1 });
  return { made, plans, recipients, tokens, firstDay };
}
export type Year = Awaited<ReturnType<typeof openYear>>;

const methods = { pix: "qr_code", card: "credit_card", debit: "pix_automatico" } as const;

async function openPlan(made: Made, name: string, plan: Plan, recipients: Year["recipients"]): Promise<string> {
  const token = await aPlan(made, {
    ...{ name, amount: (plan.cents / 100).toFixed(2), periodicity_days: plan.days, max_retry_attempts: plan.retries },
    ...{ billing_method: methods[plan.method] },
    ...{ billing_advance_days: plan.advance, grace_period_days: plan.grace },
  });
  for (const [who, points] of Object.entries(plan.shares)) {
    const recipient = recipients.get(who);
    if (!recipient) throw new Error(`${who} is nobody`);
    const input = InviteInput.parse({ email: recipient.email, percentage: points / 100 });
    const { data } = await inviteToPlan(made.account, { ...input, planId: token }, call());
    await acceptSplit(recipient.account, { id: String(data.id) }, call());
  }
  return token;
}

/** An hour of a day that is counted from the year's first. */
const instantOf = ({ firstDay }: Year, days: number, hour: number) =>
  new Date(firstDay.add({ days }).toZonedDateTime({ timeZone: ZONE, plainTime: { hour } }).epochMilliseconds);

const dayOf = ({ firstDay }: Year, at: Date | null) =>
  at &&
  firstDay.until(Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(ZONE).toPlainDate()).days;

/** What moves the clock, pays a code given its sale's id, and asks the acquirer and the rail what waits to be asked. */
type World = {
  advance(to: Date): Promise<unknown>;
  payCode(made: Made, saleId: string): Promise<unknown>;
  askAll(): Promise<unknown>;
};

/** Plays scripts until the evening of a day. Returns each one's subscription and what was refused of it. */
export async function play(year: Year, scripts: Readonly<Record<string, Script>>, until: number, world: World) {
  const tokens: Record<string, string> = {};
  const refused: Record<string, string[]> = {};
  const days = new Set(
    Object.values(scripts).flatMap(({ enrols, actions }) => [enrols, ...actions.map(([day]) => day)]),
  );
  for (const day of [...days].filter((one) => one <= until).sort((one, other) => one - other)) {
    await world.advance(instantOf(year, day, 12));
    for (const [name, script] of Object.entries(scripts)) {
      if (script.enrols === day) tokens[name] = await enrolIn(year, script);
      for (const action of script.actions.filter(([on]) => on === day)) {
        if (await act(year, tokens[name] ?? "", action, world.payCode)) await world.askAll();
        else refused[name] = [...(refused[name] ?? []), `${day} ${action[1]}`];
      }
    }
  }
  await world.advance(instantOf(year, until, 18));
  return { tokens, refused };
}

/** Enrols the person of a script. Returns the subscription's token, also where its first charge was refused. */
export async function enrolIn({ made, plans, tokens }: Year, { plan, card }: Script): Promise<string> {
  const person = { document: generateCpf() };
  const token = tokens.get(plan) ?? "";
  if (plans[plan]?.method !== "card") return (await enrolled(made, token, person)).token;
  const by = enrolledByCard(made, token, NUMBERS[card ?? "good"], person);
  return by.then(
    ({ token: made }) => made,
    async (error) => {
      if (!(error instanceof AppError && error.code === "card_refused")) throw error;
      const row = await forAccount(made.accountId, (tx) => tx.subscription.findFirstOrThrow({ where: person }));
      return row.id;
    },
  );
}

/** Does what a person does. Returns false where it is not allowed. */
export async function act(
  year: Year,
  token: string,
  [, verb, what]: Action,
  payCode: World["payCode"],
): Promise<boolean> {
  const { made, tokens } = year;
  const { account } = await nowOf(made);
  const reason = null;
  const verbs: Record<Action[1], () => Promise<unknown>> = {
    pay: async () => payIfAny(await openCodeOf(made, token)),
    "pay old": async () => payIfAny(await oldCodeOf(made, token)),
    pause: () => {
      const resumes_at = what === undefined ? null : instantOf(year, Number(what), 0);
      return pauseSubscription(account, { id: token, reason, resumes_at }, call());
    },
    resume: () => resumeSubscription(account, { id: token }, call()),
    cancel: () => cancelSubscription(account, { id: token, reason, at_period_end: false }, call()),
    "cancel at end": () => cancelSubscription(account, { id: token, reason, at_period_end: true }, call()),
    resend: () => resendCharge(account, { id: token }, call()),
    change: () => changePlan(account, { id: token, new_plan_token: tokens.get(String(what)) ?? "", reason }, call()),
    card: () => putCard(made, token, NUMBERS[what as Card]),
    funds: async () => payerOf(made)?.setAccount(await mandateOf(made, token), what === "enough" ? "enough" : "none"),
    "end mandate": () => endMandate(made, token),
  };
  async function payIfAny(saleId: string | undefined | null) {
    if (!saleId) return;
    await payCode(made, saleId);
    const mandateId = await mandateOf(made, token).catch(() => null);
    if (mandateId) await refreshMandate(railOf(made).provider, mandateId); // its first code authorises it
  }
  return verbs[verb]().then(
    () => true,
    (error) => (error instanceof AppError ? false : Promise.reject(error)),
  );
}

const railOf = ({ account }: Made) => railFor(account) as PixRail;
const payerOf = (made: Made) => railOf(made).automatic?.simulate;

async function mandateOf({ accountId }: Made, subscriptionId: string): Promise<string> {
  const mandate = await forAccount(accountId, (tx) => tx.mandate.findFirst({ where: { subscriptionId } }));
  if (!mandate?.providerId) throw new AppError("invalid_transition");
  return mandate.providerId;
}

/** The payer ends the mandate in their bank, while no debit of it is under way. */
async function endMandate(made: Made, id: string) {
  const mandateId = await mandateOf(made, id);
  const debit = { subscriptionId: id, status: "pending", chargingSaleId: { not: null } } as const;
  const isOpen = { subscriptionId: id, status: "approved" } as const;
  const [debits, open] = await forAccount(made.accountId, (tx) =>
    Promise.all([tx.cycle.count({ where: debit }), tx.mandate.count({ where: isOpen })]),
  );
  if (debits > 0 || open === 0) throw new AppError("invalid_transition");
  await payerOf(made)?.cancel(mandateId);
  await refreshMandate(railOf(made).provider, mandateId);
}

async function openCodeOf({ accountId }: Made, id: string) {
  const { cycleId } = await forAccount(accountId, (tx) =>
    tx.subscription.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }),
  );
  if (!cycleId) return undefined;
  const key = { accountId_id: { accountId, id: cycleId } };
  return (await forAccount(accountId, (tx) => tx.cycle.findUniqueOrThrow({ where: key }))).codeSaleId;
}

async function oldCodeOf({ accountId }: Made, subscriptionId: string) {
  const cycles = await forAccount(accountId, (tx) => tx.cycle.findMany({ where: { subscriptionId } }));
  const open = cycles.flatMap(({ codeSaleId }) => codeSaleId ?? []);
  const rows = await forAccount(accountId, (tx) =>
    tx.transaction.findMany({ where: { subscriptionId, pixCode: { not: null } }, orderBy: { id: "desc" } }),
  );
  return rows.find(({ id, status }) => status !== "completed" && !open.includes(id))?.id;
}

/** What the program made of a subscription, in the model's words. */
export async function lifeOf(year: Year, token: string) {
  const { accountId } = year.made;
  const { tokens } = year;
  const nameOf = new Map([...tokens].map(([name, id]) => [id, name]));
  const [row, cycles, sales, events] = await forAccount(accountId, (tx) =>
    Promise.all([
      tx.subscription.findUniqueOrThrow({ where: { accountId_id: { accountId, id: token } } }),
      tx.cycle.findMany({ where: { subscriptionId: token }, orderBy: { id: "asc" } }),
      tx.transaction.findMany({ where: { subscriptionId: token, status: "completed" }, orderBy: { paidAt: "asc" } }),
      tx.event.findMany({ where: { subjectId: token }, orderBy: { id: "asc" } }),
    ]),
  );
  return {
    status: row.status,
    plan: nameOf.get(row.planId),
    events: events.map(({ type, data, occurredAt }) => {
      const { status, charge } = data as { status: string; charge: { number: number; status: string } | null };
      return `${dayOf(year, occurredAt)} ${type} ${status}${charge ? ` ${charge.number}:${charge.status}` : ""}`;
    }),
    charges: cycles.map(({ kind, number, planId, amount, dueAt, expiresAt, status, paidAt, retries }) => ({
      ...{ kind, number, plan: nameOf.get(planId), cents: Number(amount), due: dayOf(year, dueAt) },
      ...{ expires: dayOf(year, expiresAt), status, paidOn: dayOf(year, paidAt), retries },
    })),
    sales: sales.map(({ method, planId, amount, paidAt }) => ({
      ...{ method, plan: nameOf.get(planId ?? ""), cents: Number(amount), day: dayOf(year, paidAt) },
    })),
  };
}

/** Where the cents are, as the model's `books` has them. */
export async function booksOf({ made, recipients }: Year) {
  const cents: Record<string, number> = {};
  const owners = new Map([["seller", made], ...recipients]);
  for (const [name, { accountId }] of owners) {
    const { available, pending } = await readBalances(accountId);
    if (available !== 0) cents[`${name} available`] = available;
    if (pending !== 0) cents[`${name} pending`] = pending;
  }
  const [row] = await asSystem(
    (tx) => tx.$queryRaw<{ fees: bigint }[]>`select coalesce(sum(amount), 0)::bigint as fees from ledger_entries
      where account_id = ${platforms[made.account.mode]}::uuid and kind = 'fees'`,
  );
  return { ...cents, fees: Number(row?.fees) };
}

/** The cents of payments that paid nothing, which wait for the operator. */
export async function unmatchedCents(): Promise<number> {
  const { _sum } = await asSystem((tx) => tx.unmatchedReceipt.aggregate({ _sum: { amount: true } }));
  return Number(_sum.amount ?? 0);
}
