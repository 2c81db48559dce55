import { forAccount, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { move } from "@/lib/move";
import { refundNoun } from "@/lib/refunds/noun";
import { recipientsOf, releaseOf } from "@/lib/refunds/postings";
import { presentRefund } from "@/lib/refunds/present";
import { findRefund } from "@/lib/refunds/read";
import { idOfCode } from "@/lib/refunds/record";
import type { Refund } from "@/lib/refunds/schema";

type Ending = { accountId: string; code: string; facts?: Readonly<Record<string, unknown>> };

/**
 * Ends a refund without money moving, and gives back what it holds. Throws `refund_not_found`, also for what is no code and
 * another account's, and `invalid_transition`.
 */
export async function releaseRefund(
  transition: "reject" | "cancel",
  { accountId, code, facts }: Ending,
  { idem, requestId }: Intent,
): Promise<{ data: Refund }> {
  const id = idOfCode(code);
  if (!id) throw new AppError("refund_not_found");
  const recipients = await readFor(accountId, (tx) => recipientsOf(tx, accountId, id));
  return forAccount([accountId, ...recipients], (tx) =>
    once(tx, idem, async () => {
      const query = queryOf(tx);
      await findRefund(query, accountId, id);
      const posts = await releaseOf(query, { accountId, id });
      const [moved] = await move(tx, refundNoun, transition, [
        { accountId, id, requestId, posts, ...(facts && { facts }) },
      ]);
      if (!moved) throw new AppError("invalid_transition");
      return { data: presentRefund(await findRefund(query, accountId, id)) };
    }),
  );
}
