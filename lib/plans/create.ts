import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { countStored, rowBytes } from "@/lib/accounts/storage";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, onCommit, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { clearDefault } from "@/lib/plans/clear-default";
import { presentPlan } from "@/lib/plans/present";
import { findPlan } from "@/lib/plans/read";
import type { PlanInput } from "@/lib/plans/schema";
import { assertTerms, type Terms, usualAdvance } from "@/lib/plans/terms";
import { findProduct } from "@/lib/products/read";
import { businessNow } from "@/lib/time/clock";
import { assertLeadsHome } from "@/lib/way-back/assert";

type NewPlan = PlanInput & {
  /** The product that it is of, if it is of one. */
  productId?: string | null;
  /** Shares the new plan, in the transaction that makes it. */
  share?(tx: Tx, planId: string): Promise<void>;
};

/**
 * Creates a plan, of a product or of none, and what `share` adds to it, both or nothing. A default plan takes that place from the product's other plans in the same
 * transaction. Throws 422 for terms that cannot be billed, `product_not_found`,
 * `invalid_transition` for an archived product, `plan_limit_reached`, and what `share` throws.
 */
export async function createPlan(account: AccountContext, input: NewPlan, { idem }: Intent) {
  const { productId = null } = input;
  const terms = termsOf(input);
  assertTerms(terms);
  const { id: accountId } = account;
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      await lockAccount(tx, accountId);
      if (productId) await assertOnSale(tx, accountId, productId);
      await assertLeadsHome(tx, account, input);
      if ((await tx.plan.count({ where: { accountId } })) >= limits.plans) throw new AppError("plan_limit_reached");
      if (input.is_default) await clearDefault(tx, accountId, productId);
      const now = businessNow(account);
      const id = newId(now);
      await tx.planVersion.create({ data: { accountId, planId: id, version: 1, ...terms, createdAt: now } });
      const { name, description, status, is_default: isDefault } = input;
      const { return_url: returnUrl, cancel_url: cancelUrl } = input;
      const displayOrder = input.display_order ?? (await nextOrder(tx, accountId, productId));
      await tx.plan.create({
        data: {
          ...{ accountId, id, productId, name, description, status, isDefault, displayOrder },
          ...{ returnUrl, cancelUrl, createdAt: now, updatedAt: now },
        },
      });
      onCommit(tx, () => countStored(accountId, rowBytes.terms));
      await input.share?.(tx, id);
      const plan = presentPlan(() => 0)(await findPlan(tx, { accountId, id }));
      await recordChange(tx, { accountId, subject: "plan", id, verb: "created", after: plan, at: now });
      return { data: plan };
    }),
  );
}

const termsOf = (input: PlanInput): Terms => ({
  amount: BigInt(input.amount),
  periodicityDays: input.periodicity_days,
  billingAdvanceDays: input.billing_advance_days ?? usualAdvance(input.periodicity_days),
  gracePeriodDays: input.grace_period_days,
  maxRetryAttempts: input.max_retry_attempts,
  billingMethod: input.billing_method,
});

async function assertOnSale(tx: Tx, accountId: string, productId: string) {
  const { status } = await findProduct(tx, accountId, productId);
  if (status === "archived") throw new AppError("invalid_transition");
}

/** The place after the product's last plan. */
async function nextOrder(tx: Tx, accountId: string, productId: string | null): Promise<number> {
  const { _max } = await tx.plan.aggregate({ where: { accountId, productId }, _max: { displayOrder: true } });
  return (_max.displayOrder ?? -1) + 1;
}
