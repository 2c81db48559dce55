import { countStored, keyBytes } from "@/lib/accounts/storage";
import { idemOf } from "@/lib/checkout/attempt";
import { findOffer, isBusy } from "@/lib/checkout/find";
import type { Visit } from "@/lib/checkout/pay";
import { type CheckoutEnroll, CheckoutStarted } from "@/lib/checkout/schema";
import { takeLinkSlot } from "@/lib/checkout/take-link-slot";
import { admit } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import type { Terms } from "@/lib/plans/terms";
import { enroll, enrollErrors } from "@/lib/subscriptions/enroll";
import type { Enrolled } from "@/lib/subscriptions/schema";

/** The codes that enrolling on the checkout throws, for the contract of its route. */
export const enrollPlanErrors = [
  ...enrollErrors,
  "plan_not_found",
  "checkout_not_found",
  "checkout_changed",
  "idempotency_key_reused",
  "idempotency_in_progress",
] as const satisfies readonly ErrorCode[];

/** Enrols a payer in a plan, which decides amount, period and method, on terms that the payer saw. Throws `enrollPlanErrors`. */
export async function enrollInPlan(input: CheckoutEnroll & Visit, { requestId }: Intent): Promise<CheckoutStarted> {
  const { token, ip, userAgent, ...body } = input;
  const offer = await findOffer(token);
  const { account } = offer;
  if (offer.kind !== "plan") throw new AppError("checkout_not_found");
  await takeLinkSlot(offer.token, ip);
  if (isBusy(account) || offer.methods.length === 0) throw new AppError("rail_unavailable");
  const { attempt, shown, shown_days: shownDays, shown_billing: shownBilling, ...person } = body;
  const device = { ip, user_agent: userAgent || "unknown", page_url: `${env.APP_URL}/checkout/${offer.token}` };
  const render = (result: unknown) => ({ status: 200, body: JSON.stringify(startedBy(result as Enrolled)) });
  const idem = attempt ? { ...idemOf(account.id, offer.token, attempt), render } : undefined;
  const assertSeen = ({ amount, periodicityDays, billingMethod }: Terms) => {
    const terms = [
      [shown, Number(amount)],
      [shownDays, periodicityDays],
      [shownBilling, billingMethod],
    ] as const;
    if (terms.some(([seen, now]) => (seen ?? now) !== now)) throw new AppError("checkout_changed");
  };
  // A visitor must neither make us write to whomever they name nor change the data of whoever has that document.
  const enrolment = { ...person, planId: offer.token, device, byVisitor: true, assertSeen };
  return admit(account.id, async () => {
    const started = startedBy(await enroll(account, enrolment, { idem, requestId }));
    if (attempt) countStored(account.id, keyBytes(JSON.stringify(started)), "visitors");
    return started;
  });
}

/** The answer from an enrolment. One whose first charge is paid by card is active at once. */
function startedBy({ subscription_token, status, payment }: Enrolled): CheckoutStarted {
  return CheckoutStarted.parse({
    data: {
      payment: payment.identifier,
      status: status === "active" ? "paid" : "pending",
      pix_code: payment.pix_code,
      expires_at: payment.expires_at,
      subscription_token,
    },
  });
}
