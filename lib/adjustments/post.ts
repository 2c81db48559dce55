import { requireContext } from "@/lib/accounts/read";
import type { Adjustment, AdjustmentBody } from "@/lib/adjustments/schema";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { reserve } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import { type Fact, post } from "@/lib/ledger/post";
import { log } from "@/lib/log";
import { decimal } from "@/lib/money";
import { tellStaffOfMove } from "@/lib/staff/tell-of-move";
import { businessNow, iso } from "@/lib/time/clock";

type Posted = AdjustmentBody & { accountId: string };

/** In what the two directions of an adjustment differ. */
const directions = {
  credit: { type: "adjustment_credited", verb: "credited" },
  debit: { type: "adjustment_debited", verb: "debited" },
} as const;

/**
 * Credits or debits an account for the operator's staff, out of or into what the platform of its mode earned, with a
 * reason that the seller reads. A debit takes no more than is available. Throws `account_not_found` and
 * `insufficient_balance`.
 */
export async function postAdjustment(
  { accountId, direction, amount, reason }: Posted,
  { idem }: Intent,
): Promise<{ data: Adjustment }> {
  const account = await requireContext(accountId);
  const platform = platforms[account.mode];
  const { type, verb } = directions[direction];
  return forAccount([accountId, platform], (tx) =>
    once(tx, idem, async () => {
      if (direction === "debit") await reserve(tx, accountId, amount);
      const createdAt = businessNow(account);
      const id = newId(createdAt);
      await tx.adjustment.create({ data: { accountId, id, direction, amount, reason, createdAt } });
      const fact: Fact = { type, sourceId: id, owners: { account: accountId, platform }, amounts: { amount } };
      await post(tx, fact);
      const data = { id, direction, amount: decimal(amount), reason, created_at: iso(createdAt) };
      await recordChange(tx, { accountId, subject: "adjustment", id, verb, after: data, at: createdAt });
      await tellStaffOfMove(tx, { account, id, act: verb, amount, reason });
      log.info({ accountId, adjustmentId: id, direction, amount }, "a balance was adjusted by staff");
      return { data };
    }),
  );
}
