import type { Query } from "@/lib/db";
import { log } from "@/lib/log";
import { move } from "@/lib/move";
import type { CallKey, Lost } from "@/lib/outside/calls";
import type { PayoutAnswer } from "@/lib/rails/pix/payouts";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { latePaymentOf, paymentOf, releaseOf } from "@/lib/withdrawals/postings";
import { findWithdrawal } from "@/lib/withdrawals/read";

/**
 * Writes how the rail says that a payout ended: paid, also after it had failed or was given up, which takes the money from what
 * is available, below zero if need be; or failed, which gives back what is held. An answer that changes nothing is given any
 * number of times. The transaction must have the account and its platform in scope.
 */
export async function finishWithdrawal(
  query: Query,
  { accountId, id }: CallKey,
  answer: PayoutAnswer | Lost,
): Promise<undefined> {
  const { withdrawal } = await findWithdrawal(query, accountId, id);
  if (answer.status === "paid") {
    const isLate = withdrawal.status === "failed";
    const posts = [isLate ? latePaymentOf(withdrawal) : paymentOf(withdrawal)];
    const facts = { end_to_end_id: answer.endToEndId };
    if (isLate) log.error({ accountId, id }, "a withdrawal was paid after its money was given back");
    await move(query, withdrawalNoun, isLate ? "pay_late" : "pay", [{ accountId, id, facts, posts }]);
  } else if (answer.status === "failed") {
    const facts = { reason: answer.reason };
    const [moved] = await move(query, withdrawalNoun, "fail", [
      { accountId, id, facts, posts: [releaseOf(withdrawal)] },
    ]);
    if (!moved && withdrawal.status !== "failed")
      log.error({ accountId, id, status: withdrawal.status }, "a rail says that a withdrawal failed which did not");
  }
}
