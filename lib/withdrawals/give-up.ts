import { forAccount, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { findReplay, type Intent, once } from "@/lib/idempotency";
import { platforms } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { move } from "@/lib/move";
import { endCall, readCall } from "@/lib/outside/calls";
import { watch } from "@/lib/outside/watch";
import { mayCrash } from "@/lib/process/crash-points";
import type { Payout } from "@/lib/rails/pix/payouts";
import { realNow } from "@/lib/time/clock";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { applyPayout, PAYOUT } from "@/lib/withdrawals/payout-watch";
import { payoutsAt } from "@/lib/withdrawals/payouts-at";
import { releaseOf } from "@/lib/withdrawals/postings";
import { presentWithdrawal } from "@/lib/withdrawals/present";
import { findWithdrawal } from "@/lib/withdrawals/read";
import type { GiveUpBody } from "@/lib/withdrawals/schema";
import { UNANSWERED_MS, UNENDED_MS } from "@/lib/withdrawals/waiting";

/** When the rail is asked again about what was given up, in case that it was paid all the same. */
const ASK_AGAIN_MS = 60_000;

type GivenUp = GiveUpBody & { accountId: string; id: string };

/**
 * Gives up a withdrawal that its rail does not know, for the operator's staff, and gives back what it holds, with a reason that
 * the seller reads. The rail is asked once more before: what it knows is written instead, and nothing is given up that may still
 * be under way. What was given up and is paid all the same takes the money again, below zero if need be. Throws
 * `withdrawal_not_found`, `invalid_transition` for one that has ended or was not sent, `withdrawal_under_way` and
 * `rail_unavailable`.
 */
export async function giveUpWithdrawal({ accountId, id, reason }: GivenUp, { idem, requestId }: Intent) {
  await findReplay(idem);
  const key = { accountId, id };
  const { withdrawal } = await readFor(accountId, (tx) => findWithdrawal(queryOf(tx), accountId, id));
  if (withdrawal.status !== "sending" && withdrawal.status !== "accepted") throw new AppError("invalid_transition");
  const call = await readCall(key);
  // What was accepted is on its way, also where the rail does not find it at this moment.
  const isEarly = call.acceptedMs === null ? call.ageMs < UNANSWERED_MS : call.acceptedMs < UNENDED_MS;
  if (!call.isSent || isEarly) throw new AppError("withdrawal_under_way");
  const payout = await look(withdrawal.provider, id);
  if (payout) await applyPayout(key, payout);
  if (payout?.answer.status === "accepted") throw new AppError("withdrawal_under_way");
  return forAccount([accountId, ...Object.values(platforms)], (tx) =>
    once(tx, idem, async () => {
      const query = queryOf(tx);
      // Whoever writes an answer of the rail at the same moment waits, and finds that it is late, or is first.
      if (!payout && (await endCall(query, key))) {
        const found = await findWithdrawal(query, accountId, id);
        const change = { ...key, requestId, facts: { reason }, posts: [releaseOf(found.withdrawal)] };
        const [moved] = await move(tx, withdrawalNoun, "fail", [change]);
        if (!moved) throw new AppError("invalid_transition");
        await watch(query, PAYOUT, withdrawal.provider, [id], new Date(realNow().getTime() + ASK_AGAIN_MS));
        mayCrash("withdrawal.given_up");
        log.warn({ accountId, id }, "a withdrawal was given up by staff");
      }
      return { data: presentWithdrawal(await findWithdrawal(query, accountId, id)) };
    }),
  );
}

const look = (provider: string, id: string): Promise<Payout | null> =>
  payoutsAt(provider)
    .findPayout(id)
    .catch((cause) => {
      throw new AppError("rail_unavailable", { cause });
    });
