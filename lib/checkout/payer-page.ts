import type { AccountContext } from "@/lib/accounts/context";
import { readContact, readContext } from "@/lib/accounts/read";
import { dayOf } from "@/lib/billing/calendar";
import { isLinkOf, namedBy } from "@/lib/billing/payer-link";
import { isByCard, type LoadedSubscription, methodOf, nextChargeAt } from "@/lib/billing/subscription";
import { type Query, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Action, allowedActions } from "@/lib/subscriptions/actions";
import { standingOf } from "@/lib/subscriptions/present";
import { findSubscription } from "@/lib/subscriptions/read";
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
  /** The e-mail where the payer may ask the seller. */
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
    const loaded = await findSubscription(query, account.id, key.id);
    if (!isLinkOf(link, loaded.subscription)) throw new AppError("subscription_not_found");
    const read = {
      account,
      contact: await readContact(tx, account.id),
      card: await cardOf(query, loaded),
      charges: await chargesOf(query, loaded),
    };
    return present(loaded, read);
  });
}

type Read = Pick<OfPayer, "account" | "contact" | "card" | "charges">;

function present(loaded: LoadedSubscription, read: Read): OfPayer {
  const { subscription, cycle, offer } = loaded;
  const { status } = subscription;
  const isDue = status === "overdue" || status === "suspended" || status === "pending_first_payment";
  return {
    ...{ ...read, status },
    id: subscription.id,
    isPaused: subscription.pausedAt !== null,
    ...{ plan: offer.plan.name, product: offer.plan.product, planId: offer.plan.id },
    amount: Number(offer.terms.amount),
    periodicityDays: offer.terms.periodicityDays,
    method: methodOf(loaded),
    owed: cycle && { amount: Number(cycle.amount), payment: payableOf(loaded, cycle), isDue },
    nextDay: isDue ? null : nextDayOf(loaded), // what is owed has had its day
    paidUntil: isDue ? null : lastDayOf(loaded),
    endDay: endDayOf(loaded),
    actions: allowedActions(standingOf(loaded)),
  };
}

/**
 * What a receipt says of the subscription that it paid: its product, the day of the next charge or the last day, whether
 * it has been cancelled already, and whose it is.
 */
export const readAfterPayment = (accountId: string, id: string) =>
  readFor(accountId, async (tx) => {
    const loaded = await findSubscription(queryOf(tx), accountId, id);
    const { email, status } = loaded.subscription;
    return { nextDay: nextDayOf(loaded), endDay: endDayOf(loaded), isCancelled: status === "cancelled", email };
  });

/** The last day of a subscription that was asked to end. */
const endDayOf = ({ subscription: { endsAt }, account }: LoadedSubscription) =>
  endsAt && dayOf(lastInstant(endsAt), account.timeZone);

/** The code by which a charge is paid. One that is over leads to another; a card's charge is tried again instead. */
const payableOf = (
  loaded: LoadedSubscription,
  { codeSaleId, transactionId }: NonNullable<LoadedSubscription["cycle"]>,
) => codeSaleId ?? (isByCard(loaded) ? null : transactionId);

function lastDayOf(loaded: LoadedSubscription): string | null {
  const next = nextChargeAt(loaded);
  return next && dayOf(lastInstant(next), loaded.account.timeZone);
}

function nextDayOf(loaded: LoadedSubscription): string | null {
  const next = nextChargeAt(loaded);
  return next && dayOf(next, loaded.account.timeZone);
}

async function cardOf(
  query: Query,
  { subscription: { accountId, storedCardId } }: LoadedSubscription,
): Promise<OfPayer["card"]> {
  if (!storedCardId) return null;
  const [card] = await query<{ brand: string; last4: string }>("", CARD, [accountId, storedCardId]);
  return card ?? null;
}

const CARD = "select brand, last4 from stored_cards where account_id = $1::uuid and id = $2::uuid";

async function chargesOf(
  query: Query,
  { subscription: { accountId, id }, account }: LoadedSubscription,
): Promise<ChargeOfPayer[]> {
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
    coalesce(code_sale_id, transaction_id) as payment
  from cycles where account_id = $1::uuid and subscription_id = $2::uuid
  order by number desc, id desc limit $3::int`;
