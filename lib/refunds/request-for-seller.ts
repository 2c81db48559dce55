import { requireContext } from "@/lib/accounts/read";
import type { Intent } from "@/lib/idempotency";
import { log } from "@/lib/log";
import { requestRefund } from "@/lib/refunds/request";
import type { RefundForSeller } from "@/lib/refunds/schema";

type Asked = RefundForSeller & { accountId: string; id: string };

/**
 * Asks for a refund of a seller's sale, for the operator's staff: as the seller itself asks, also where the account may not
 * by itself. It waits in the queue like any other. Throws `account_not_found`, and as `requestRefund` does.
 */
export async function requestRefundForSeller({ accountId, ...input }: Asked, intent: Intent) {
  const answer = await requestRefund(await requireContext(accountId), input, intent);
  log.info({ accountId, code: answer.data.code, reason: input.reason }, "a refund was asked for by staff");
  return answer;
}
