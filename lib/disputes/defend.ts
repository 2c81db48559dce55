import type { AccountContext } from "@/lib/accounts/context";
import { forAccount, queryOf } from "@/lib/db";
import { defenceCall } from "@/lib/disputes/call";
import { readDetail } from "@/lib/disputes/detail";
import { lockUndefended } from "@/lib/disputes/evidence";
import { disputeNoun } from "@/lib/disputes/noun";
import { findDispute } from "@/lib/disputes/read";
import type { DefenceBody } from "@/lib/disputes/schema";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { move } from "@/lib/move";
import { writeCalls } from "@/lib/outside/calls";
import { businessNow } from "@/lib/time/clock";

/**
 * Defends a dispute, once: its provider is sent the text and what files there are as soon as this is written, and nothing of it
 * changes any more. Throws `dispute_not_found`, `dispute_defended`, `invalid_transition` for one that has ended, and
 * `dispute_deadline_passed`.
 */
export async function defendDispute(
  account: AccountContext,
  { code, text }: DefenceBody & { code: string },
  { idem, requestId }: Intent,
) {
  const { id: accountId } = account;
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const query = queryOf(tx);
      const id = await lockUndefended(tx, accountId, code);
      const { dispute } = await findDispute(query, accountId, id);
      if (businessNow(account) > dispute.deadline) throw new AppError("dispute_deadline_passed");
      const [moved] = await move(tx, disputeNoun, "defend", [{ accountId, id, requestId, facts: { text } }]);
      if (!moved) throw new AppError("invalid_transition");
      await writeCalls(query, [{ accountId, id, kind: defenceCall.name, provider: dispute.provider }]);
      return { data: await readDetail(tx, accountId, code) };
    }),
  );
}
