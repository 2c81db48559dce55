import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { countStored, rowBytes } from "@/lib/accounts/storage";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, onCommit, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { clearDefault } from "@/lib/plans/clear-default";
import { countActive } from "@/lib/plans/count-active";
import { presentPlan, withTerms } from "@/lib/plans/present";
import { findPlan, type PlanKey } from "@/lib/plans/read";
import type { PlanChange } from "@/lib/plans/schema";
import { planTransitions } from "@/lib/plans/states";
import { assertTerms, isSame, type Terms } from "@/lib/plans/terms";
import { mayBecome } from "@/lib/states";
import { businessNow } from "@/lib/time/clock";
import { assertLeadsHome } from "@/lib/way-back/assert";

/** Which plan of the account: under a product only one of that product's. */
type Named = Omit<PlanKey, "accountId">;
type Change = PlanChange & Named;

/**
 * Changes the members that were given. Other terms are another version, which new subscriptions get. A default plan takes
 * that place from the product's other plans in the same transaction, and an archived plan is no default. Throws
 * `plan_not_found`, 422 for terms that cannot be billed, and `invalid_transition` for an archived plan.
 */
export const updatePlan = (account: AccountContext, input: Change, { idem }: Intent) =>
  forAccount(account.id, (tx) => once(tx, idem, () => apply(tx, account, input)));

async function apply(tx: Tx, account: AccountContext, { id, productId, ...change }: Change) {
  const { id: accountId } = account;
  await lockAccount(tx, accountId);
  const plan = await findPlan(tx, { accountId, id, productId });
  const status = change.status ?? plan.status;
  if (plan.status === "archived" || !mayBecome(planTransitions, plan.status, status))
    throw new AppError("invalid_transition");
  const isDefault = status !== "archived" && (change.is_default ?? plan.isDefault);

  await assertLeadsHome(tx, account, change);
  const terms = changed(plan.terms, change);
  assertTerms(terms);
  const now = businessNow(account);
  const version = isSame(terms, plan.terms) ? plan.version : plan.version + 1;
  if (version !== plan.version) {
    await tx.planVersion.create({ data: { accountId, planId: plan.id, version, ...terms, createdAt: now } });
    onCommit(tx, () => countStored(accountId, rowBytes.terms));
  }
  if (isDefault && !plan.isDefault) await clearDefault(tx, accountId, plan.productId);
  const row = await tx.plan.update({
    where: { accountId_id: { accountId, id: plan.id } },
    data: {
      ...(change.name !== undefined && { name: change.name }),
      ...(change.description !== undefined && { description: change.description }),
      ...(change.return_url !== undefined && { returnUrl: change.return_url }),
      ...(change.cancel_url !== undefined && { cancelUrl: change.cancel_url }),
      ...(change.display_order !== undefined && { displayOrder: change.display_order }),
      ...{ status, isDefault, version, updatedAt: now },
    },
    include: withTerms,
  });
  const present = presentPlan(await countActive(tx, accountId, [plan.id]));
  const [before, after] = [present(plan), present(row)];
  await recordChange(tx, { accountId, subject: "plan", id: plan.id, verb: "updated", before, after, at: now });
  return { data: after };
}

/** The terms of a version with a change. */
const changed = (terms: Terms, change: PlanChange): Terms => ({
  amount: change.amount === undefined ? terms.amount : BigInt(change.amount),
  periodicityDays: change.periodicity_days ?? terms.periodicityDays,
  billingAdvanceDays: change.billing_advance_days ?? terms.billingAdvanceDays,
  gracePeriodDays: change.grace_period_days ?? terms.gracePeriodDays,
  maxRetryAttempts: change.max_retry_attempts ?? terms.maxRetryAttempts,
  billingMethod: change.billing_method ?? terms.billingMethod,
});

/** Deactivates a plan: it takes no new subscriber until it is active again. Throws as `updatePlan` does. */
export async function deactivatePlan(account: AccountContext, { id, productId }: Named, intent: Intent) {
  await updatePlan(account, { id, productId, status: "inactive" }, intent);
  return { message: "Plano desativado." };
}

/** Archives a plan: it takes no new subscriber ever again, and running subscriptions go on. Throws as `updatePlan` does. */
export async function archivePlan(account: AccountContext, { id, productId }: Named, intent: Intent) {
  await updatePlan(account, { id, productId, status: "archived" }, intent);
  return { message: "Plano arquivado." };
}
