import { changesBy, NOW, type Noun } from "@/lib/move";
import { recordOf } from "@/lib/refunds/record";
import { type RefundTransition, refundTransitions } from "@/lib/refunds/states";

/** Every change of a refund. */
export const refundNoun: Noun<RefundTransition> = {
  subject: "refund",
  table: "refunds",
  facts: { category: '"RejectionCategory"', reason: "text", receipt: "jsonb" },
  record: recordOf,
  changes: changesBy(refundTransitions, {
    approve: `, approved_at = ${NOW}`,
    reject: `, rejected_at = ${NOW}, rejection_category = old.category, rejection_reason = old.reason`,
    cancel: `, cancelled_at = ${NOW}`,
    stop: `, cancelled_at = ${NOW}`,
    process: `, executed_at = ${NOW}`,
    complete: `, completed_at = ${NOW}, provider_receipt = old.receipt`,
    complete_late: `, completed_at = ${NOW}, provider_receipt = old.receipt`,
  }),
};
