import type { Intent } from "@/lib/idempotency";
import { log } from "@/lib/log";
import { releaseRefund } from "@/lib/refunds/release";
import type { RejectBody } from "@/lib/refunds/schema";

type Rejected = RejectBody & { accountId: string; code: string };

/** Refuses a refund, for the operator's staff, with a reason that the seller reads. Throws as `releaseRefund` does. */
export async function rejectRefund({ accountId, code, ...facts }: Rejected, intent: Intent) {
  const answer = await releaseRefund("reject", { accountId, code, facts }, intent);
  log.info({ accountId, code, category: facts.category }, "a refund was refused by staff");
  return answer;
}
