import { changeAccount } from "@/lib/accounts/change";
import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { noteRecorded } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { onboardingOf } from "@/lib/onboarding/read";
import { mailWaiting } from "@/lib/reviews/mail";
import { iso, realNow } from "@/lib/time/clock";

/**
 * Asks the operator to review a pending live account once nothing is missing; asked again it changes nothing. Throws
 * `account_not_live`, `invalid_transition` for an account that is not pending, and `review_incomplete`, which says what is
 * missing.
 */
export const askReview = (account: AccountContext, { idem }: Intent) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const { id: accountId, name: seller } = account;
      await lockAccount(tx, accountId);
      const before = await onboardingOf(tx, accountId);
      if (before.status !== "pending") throw new AppError("invalid_transition");
      if (before.missing.length > 0) {
        throw new AppError("review_incomplete", { details: { missing: before.missing.join(",") } });
      }
      if (before.review_asked_at !== null) {
        noteRecorded();
        return { data: before };
      }
      const reviewAskedAt = realNow();
      await changeAccount(tx, accountId, () => ({ reviewAskedAt }));
      const [was, is] = [{ review_asked_at: null }, { review_asked_at: iso(reviewAskedAt) }];
      const change = { accountId, subject: "account", id: accountId, verb: "updated" } as const;
      await recordChange(tx, { ...change, before: was, after: is });
      await mailWaiting(tx, { accountId, seller, about: "account" });
      return { data: { ...before, ...is } };
    }),
  );
