import { requireContext } from "@/lib/accounts/read";
import { forAccount, queryOf } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { platforms } from "@/lib/ledger/chart";
import type { Fact } from "@/lib/ledger/post";
import { log } from "@/lib/log";
import { move } from "@/lib/move";
import { tellStaffOfMove } from "@/lib/staff/tell-of-move";
import { assertNotReturned, assertOpen, type Decided, moveOf, readDecided } from "@/lib/unmatched/decide";
import { unmatchedNoun } from "@/lib/unmatched/noun";
import { presentUnmatched } from "@/lib/unmatched/present";
import { findUnmatched } from "@/lib/unmatched/read";

/**
 * Credits unmatched money to an account of its mode, all of it and without a fee, for the operator's staff. Throws
 * `unmatched_not_found`, `account_not_found`, `account_closed`, `unmatched_mode_differs`, `invalid_transition` and `rail_unavailable`.
 */
export async function creditUnmatched({ to, ...decided }: Decided & { to: string }, intent: Intent) {
  const money = await readDecided(decided);
  const { id, mode, amount, accountId } = money;
  const account = await requireContext(to);
  if (account.mode !== mode) throw new AppError("unmatched_mode_differs");
  if (account.status === "closed") throw new AppError("account_closed");
  await assertNotReturned(money);
  return forAccount([accountId, to, platforms[mode]], (tx) =>
    once(tx, intent.idem, async () => {
      const query = queryOf(tx);
      const owners = { account: to, platform: platforms[mode] };
      const post: Fact = { type: "unmatched_credited", sourceId: id, owners, amounts: { amount: Number(amount) } };
      const given = moveOf(decided, intent);
      const facts = { ...given.facts, to_account: to };
      const [moved] = await move(tx, unmatchedNoun, "credit", [{ ...given, facts, posts: [post] }]);
      assertOpen(moved);
      await tellStaffOfMove(tx, { account, id, act: "credited", amount: Number(amount), reason: decided.reason });
      log.info({ id, to, amount }, "unmatched money was credited by staff");
      return { data: presentUnmatched(await findUnmatched(query, decided)) };
    }),
  );
}
