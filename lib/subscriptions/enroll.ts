import { type AccountContext, assertActive, assertCeiling } from "@/lib/accounts/context";
import { issueCode, makeCycle, todayOf } from "@/lib/billing/charge";
import { lockSubscription } from "@/lib/billing/lock";
import { mailUnpaid } from "@/lib/billing/mails";
import { methodOf } from "@/lib/billing/subscription";
import { beginChange, recordEvent } from "@/lib/billing/subscription-change";
import { insertSubscription, writeChanges } from "@/lib/billing/write";
import { queryOf, readFor, type Tx } from "@/lib/db";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { billingMethods } from "@/lib/methods/methods";
import { findPlan } from "@/lib/plans/read";
import type { Terms } from "@/lib/plans/terms";
import { railFor } from "@/lib/rails/pix/rails";
import { refuseWithoutRail } from "@/lib/sellers/refuse-without-rail";
import { enrollByMandate } from "@/lib/subscriptions/enroll-automatic";
import { cardErrors, enrollByCard } from "@/lib/subscriptions/enroll-card";
import { pictureOf } from "@/lib/subscriptions/qr";
import type { EnrollBody, Enrolled } from "@/lib/subscriptions/schema";
import { type Coded, changeForCode } from "@/lib/subscriptions/wait-for-code";
import { iso } from "@/lib/time/clock";
import type { Untracked } from "@/lib/transactions/tracking";

/** What enrolling throws, for the contracts of its routes. */
export const enrollErrors = [
  "account_not_approved",
  "account_suspended",
  "account_closed",
  "plan_not_on_sale",
  "max_cashin_without_fee",
  "rail_not_configured",
  "rail_unavailable",
  "deposit_pending",
  "deposit_not_made",
  ...cardErrors,
] as const satisfies readonly ErrorCode[];

type Enrolment = Untracked<EnrollBody> & {
  planId: string;
  /**
   * Whether an anonymous visitor enrols, who sees the code on a page and may name anybody. Where the seller does, the code
   * is mailed, and what is given of a known person is their latest.
   */
  byVisitor?: boolean;
  /** Throws where the plan is not on the terms that the subscriber saw. */
  assertSeen?(terms: Terms): void;
};

/**
 * Enrols a person in a plan, on the terms of now. The first charge is made at once and is due today; once it is paid the
 * subscription is active. A plan by card needs a card's token. Throws `plan_not_found`, `enrollErrors` and what
 * `enrollByCard` throws.
 */
export async function enroll(account: AccountContext, input: Enrolment, intent: Intent): Promise<Enrolled> {
  const { planId, byVisitor = false, assertSeen, ...person } = input;
  assertMayEnroll(account);
  // A charge by card that is refused is paid by a Pix code.
  if (!railFor(account)) return refuseWithoutRail(account, "pix");
  const { id: accountId } = account;
  const plan = await readFor(accountId, (tx) => findPlan(tx, { accountId, id: planId }));
  if (plan.status !== "active" || (plan.product && plan.product.status !== "active"))
    throw new AppError("plan_not_on_sale");
  assertSeen?.(plan.terms);
  assertCeiling(account, Number(plan.terms.amount));
  const { requestId } = intent;
  const first = (tx: Tx) => begin(tx, account, plan, person, { byVisitor, requestId });
  const { by } = billingMethods[plan.terms.billingMethod];
  if (by === "card") return enrollByCard(account, person, first, intent);
  if (by === "mandate") return enrollByMandate(account, first, intent);
  async function change(tx: Tx, awaitedSaleId?: string) {
    const change = Object.assign(await first(tx), { awaitedSaleId });
    if (!change.cycle || !issueCode(change, change.cycle)) throw new AppError("rail_unavailable");
    recordEvent(change, "cycle.created", change.cycle);
    if (!byVisitor) mailUnpaid(change, change.cycle);
    await writeChanges(queryOf(tx), [change]);
    return change;
  }
  return changeForCode(account, { change, presentCode: present }, intent);
}

function assertMayEnroll(account: AccountContext) {
  if (!account.features.includes("recurring")) {
    throw new AppError("account_not_approved", { action: "wait_for_approval" });
  }
  assertActive(account);
}

type By = { byVisitor: boolean; requestId: string };
type Plan = Awaited<ReturnType<typeof findPlan>>;

/** Writes a subscription and works out its first cycle, which nothing collects yet. */
async function begin(tx: Tx, account: AccountContext, plan: Plan, person: Untracked<EnrollBody>, by: By) {
  const { id: accountId } = account;
  const query = queryOf(tx);
  const { byVisitor } = by;
  const newcomer = { account, planId: plan.id, planVersion: plan.version, productId: plan.productId, byVisitor };
  const id = await insertSubscription(query, newcomer, person);
  const change = beginChange(await lockSubscription(query, { accountId, id }), by.requestId);
  recordEvent(change, "subscription.created");
  makeCycle(change, todayOf(change));
  return change;
}

const present = async ({ subscription, offer, pixCode, cycle }: Coded): Promise<Enrolled> => ({
  subscription_token: subscription.id,
  status: subscription.status,
  billing_method: methodOf({ offer }),
  payment: {
    ...{ pix_code: pixCode, qr_code: await pictureOf(pixCode) },
    ...{ identifier: cycle.codeSaleId, expires_at: iso(cycle.expiresAt) },
  },
});
