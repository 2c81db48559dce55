import { readAddressee } from "@/lib/accounts/addressee";
import type { AccountContext } from "@/lib/accounts/context";
import { readContext } from "@/lib/accounts/read";
import { type Query, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { dayOf } from "@/lib/subscriptions/calendar";
import { type Held, methodOf } from "@/lib/subscriptions/hold";
import { isLinkOf, namedBy } from "@/lib/subscriptions/payer-link";
import { nextChargeAt, standingOf } from "@/lib/subscriptions/present";
import { findSubscription } from "@/lib/subscriptions/read";
import { type Action, allowedActions } from "@/lib/subscriptions/states";
import { lastInstant } from "@/lib/time/calendar";
import type { BillingMethod, CycleStatus, SubscriptionStatus } from "@/prisma/client/enums";

/** How many of its latest charges a payer's page shows. */
const SHOWN_CHARGES = 12;

/** A charge on the payer's page; `payment` is its sale, on the page of its plan. Amount in cents, days YYYY-MM-DD. */
export type ChargeOfPayer = {
  planId: string;
  amount: number;
  status: CycleStatus;
  dueDay: string;
  paidDay: string | null;
  payment: string | null;
};

/** A subscription as its payer sees it. Amounts in cents, days of the account's zone. */
export type OfPayer = {
  account: AccountContext;
  /** The seller's registered e-mail, where the payer may ask them. */
  contact: string;
  id: string;
  status: SubscriptionStatus;
  isPaused: boolean;
  plan: string;
  product: string | null;
  planId: string;
  amount: number;
  periodicityDays: number;
  method: BillingMethod;
  card: { brand: string; last4: string } | null;
  /** What is owed now, and the payment by which it is paid; null where nothing is. */
  owed: { amount: number; payment: string | null; isDue: boolean } | null;
  nextDay: string | null;
  /** The last day that is paid for. */
  paidUntil: string | null;
  endDay: string | null;
  actions: Action[];
  charges: ChargeOfPayer[];
};

/** Reads the subscription of a payer's link. Throws `subscription_not_found` for every other link, whatever the cause. */
export async function findOfPayer(link: string): Promise<OfPayer> {
  const key = namedBy(link);
  const account = key && (await readContext(key.accountId));
  if (!key || !account) throw new AppError("subscription_not_found");
  return readFor(account.id, async (tx) => {
    const query = queryOf(tx);
    const held = await findSubscription(query, account.id, key.id);
    if (!isLinkOf(link, held.subscription)) throw new AppError("subscription_not_found");
    const { to } = await readAddressee(tx, account.id);
    const read = { account, contact: to.email, card: await cardOf(query, held), charges: await chargesOf(query, held) };
    return present(held, read);
  });
}

type Read = Pick<OfPayer, "account" | "contact" | "card" | "charges">;

function present(held: Held, read: Read): OfPayer {
  const { subscription, cycle, offer } = held;
  const { status } = subscription;
  const isDue = status === "overdue" || status === "suspended" || status === "pending_first_payment";
  return {
    ...{ ...read, status },
    id: subscription.id,
    isPaused: subscription.pausedAt !== null,
    ...{ plan: offer.plan.name, product: offer.plan.product, planId: offer.plan.id },
    amount: Number(offer.terms.amount),
    periodicityDays: offer.terms.periodicityDays,
    method: methodOf(held),
    owed: cycle && { amount: Number(cycle.amount), payment: payableOf(held, cycle), isDue },
    nextDay: isDue ? null : nextDayOf(held), // what is owed has had its day
    paidUntil: isDue ? null : lastDayOf(held),
    endDay: endDayOf(held),
    actions: allowedActions(standingOf(held)),
  };
}

/**
 * What a receipt says of the subscription that it paid: its product, the day of the next charge or the last day, whether
 * it has been cancelled already, and whose it is.
 */
export const readAfterPayment = (accountId: string, id: string) =>
  readFor(accountId, async (tx) => {
    const held = await findSubscription(queryOf(tx), accountId, id);
    const { email, status } = held.subscription;
    return { nextDay: nextDayOf(held), endDay: endDayOf(held), isCancelled: status === "cancelled", email };
  });

/** The last day of a subscription that was asked to end. */
const endDayOf = ({ subscription: { endsAt }, account }: Held) =>
  endsAt && dayOf(lastInstant(endsAt), account.timeZone);

/** The code by which a charge is paid. One that is over leads to another; a card's charge is tried again instead. */
const payableOf = (held: Held, { codeId, transactionId }: NonNullable<Held["cycle"]>) =>
  codeId ?? (methodOf(held) === "credit_card" ? null : transactionId);

function lastDayOf(held: Held): string | null {
  const next = nextChargeAt(held);
  return next && dayOf(lastInstant(next), held.account.timeZone);
}

function nextDayOf(held: Held): string | null {
  const next = nextChargeAt(held);
  return next && dayOf(next, held.account.timeZone);
}

async function cardOf(query: Query, { subscription: { accountId, storedCardId } }: Held): Promise<OfPayer["card"]> {
  if (!storedCardId) return null;
  const [card] = await query<{ brand: string; last4: string }>("", CARD, [accountId, storedCardId]);
  return card ?? null;
}

const CARD = "select brand, last4 from stored_cards where account_id = $1::uuid and id = $2::uuid";

async function chargesOf(query: Query, { subscription: { accountId, id }, account }: Held): Promise<ChargeOfPayer[]> {
  const rows = await query<ChargeRow>("", CHARGES, [accountId, id, SHOWN_CHARGES]);
  return rows.map(({ dueAt, paidAt, amount, ...row }) => ({
    ...{ ...row, amount: Number(amount), dueDay: dayOf(dueAt, account.timeZone) },
    paidDay: paidAt && dayOf(paidAt, account.timeZone),
  }));
}

type ChargeRow = Pick<ChargeOfPayer, "planId" | "status" | "payment"> & {
  amount: string;
  dueAt: Date;
  paidAt: Date | null;
};

const CHARGES = `select plan_id as "planId", amount::text, status, due_at as "dueAt", paid_at as "paidAt",
    coalesce(code_id, transaction_id) as payment
  from cycles where account_id = $1::uuid and subscription_id = $2::uuid
  order by number desc, id desc limit $3::int`;
