import { forAccount, queryOf } from "@/lib/db";
import { invalid } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { platforms } from "@/lib/ledger/chart";
import type { Fact } from "@/lib/ledger/post";
import { log } from "@/lib/log";
import { move } from "@/lib/move";
import { readProvider } from "@/lib/providers/read";
import { modeOf } from "@/lib/rails/pix/rails";
import { assertNotReturned, assertOpen, type Decided, moveOf, readDecided } from "@/lib/unmatched/decide";
import { unmatchedNoun } from "@/lib/unmatched/noun";
import { presentUnmatched } from "@/lib/unmatched/present";
import { findUnmatched, isOfRail } from "@/lib/unmatched/read";

/**
 * Says of unmatched money, for the operator's staff, that it is the operator's own, moved here from another PSP: what that one
 * holds is less by it from now on. Throws `unmatched_not_found`, `provider_not_found`, `invalid_transition`,
 * `rail_unavailable`, and 422 where it did not come from another PSP.
 */
export async function transferUnmatched({ from, ...decided }: Decided & { from: string }, intent: Intent) {
  const money = await readDecided(decided);
  const { id, mode, method, provider, amount, accountId } = money;
  await readProvider(from);
  if (!isOfRail(method) || from === provider || modeOf(from) !== mode)
    throw invalid({ provider: ["Escolha outro provedor de Pix, de onde o dinheiro saiu."] });
  await assertNotReturned(money);
  return forAccount([accountId, platforms[mode]], (tx) =>
    once(tx, intent.idem, async () => {
      const query = queryOf(tx);
      const owners = { platform: platforms[mode], rail: from };
      const post: Fact = { type: "unmatched_transferred", sourceId: id, owners, amounts: { amount: Number(amount) } };
      const given = moveOf(decided, intent);
      const facts = { ...given.facts, from_rail: from };
      const [moved] = await move(tx, unmatchedNoun, "transfer", [{ ...given, facts, posts: [post] }]);
      assertOpen(moved);
      log.info({ id, from, to: provider, amount }, "unmatched money was an own transfer");
      return { data: presentUnmatched(await findUnmatched(query, decided)) };
    }),
  );
}
