import { transactionFor } from "@/lib/db";
import { move } from "@/lib/move";
import { finishCall } from "@/lib/outside/calls";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCall } from "@/lib/refunds/call";
import { refundNoun } from "@/lib/refunds/noun";
import { idOfCode } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { type Refund, RefundBody } from "@/lib/refunds/schema";
import { call, type Made } from "@/lib/testing/make";

/** Asks for a refund of a sale; without an amount, of all that is left of it. */
export const askRefund = async (
  { account }: Pick<Made, "account">,
  id: string,
  overrides: object = {},
): Promise<Refund> =>
  (await requestRefund(account, { ...RefundBody.parse({ reason: "other", ...overrides }), id }, call())).data;

/** Has the staff approve a refund, and the money arrive at its payer as the rail would report it. */
export async function completeRefund({ accountId }: Made, { code }: Pick<Refund, "code">): Promise<void> {
  const id = idOfCode(code) ?? "";
  await approveRefund({ accountId, code }, call());
  await transactionFor(accountId, (query) => move(query, refundNoun, "process", [{ accountId, id }]));
  await finishCall(refundCall, { accountId, id }, { status: "completed", returnId: "D1" });
}
