import { forAccount, queryOf } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { log } from "@/lib/log";
import { beginReturns } from "@/lib/unmatched/begin-return";
import { returnerOf } from "@/lib/unmatched/call";
import { assertNotReturned, assertOpen, type Decided, decisionOf, readDecided } from "@/lib/unmatched/decide";
import { presentUnmatched } from "@/lib/unmatched/present";
import { findUnmatched } from "@/lib/unmatched/read";

/**
 * Sends unmatched money back to its payer, for the operator's staff: its provider is asked once this is written. Throws
 * `unmatched_not_found`, `rail_not_configured` where nobody can send it back, `invalid_transition`, and
 * `rail_unavailable` where a return had failed and its rail does not say whether it was made.
 */
export async function returnUnmatched(input: Decided, intent: Intent) {
  const found = await readDecided(input);
  if (!returnerOf(found)) throw new AppError("rail_not_configured");
  const returnId = await assertNotReturned(found);
  const { accountId, id, amount } = found;
  return forAccount(accountId, (tx) =>
    once(tx, intent.idem, async () => {
      const query = queryOf(tx);
      const { requestId } = intent;
      const [moved] = await beginReturns(tx, query, [{ ...found, returnId }], { requestId, ...decisionOf(input) });
      assertOpen(moved);
      log.info({ id, amount }, "unmatched money is returned by staff");
      return { data: presentUnmatched(await findUnmatched(query, { accountId, id })) };
    }),
  );
}
