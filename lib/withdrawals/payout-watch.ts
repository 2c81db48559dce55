import { runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { log } from "@/lib/log";
import { type CallKey, finishCall } from "@/lib/outside/calls";
import { type Progress, readEach, type WatchKind, writeEach } from "@/lib/outside/watch";
import type { Payout } from "@/lib/rails/pix/payouts";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { payoutsAt } from "@/lib/withdrawals/payouts-at";
import { receiveReturns } from "@/lib/withdrawals/returned";
import type { WithdrawalStatus } from "@/prisma/client/enums";

/** The name of the watch, and of callbacks about payouts. */
export const PAYOUT = "payout";

/** How long a withdrawal that somebody gave up may still turn out to be paid. */
const WATCHED_MS = 90 * 86_400_000;

/** What the rail says of a payout: null where it does not know it. */
type Truth = { id: string; payout: Payout | null };

/**
 * The watch over payouts, by our id of each: how one ended is written once, whether the call or this watch hears of it first,
 * also where it was given up meanwhile; and so is what of it came back.
 */
export const payoutWatch: WatchKind<Truth> = {
  name: PAYOUT,
  read: readEach(async (provider, id) => ({
    id,
    payout: isOurs(id) ? await payoutsAt(provider).findPayout(id) : null,
  })),
  write: writeEach(followPayout),
};

/** Whether a payout has an id of ours: others are sent by somebody else. */
export const isOurs = (id: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

async function followPayout(provider: string, { id, payout }: Truth): Promise<Progress> {
  const [found] = isOurs(id) ? await readPaidOut(provider, [id]) : [];
  if (!found) {
    if (payout) log.error({ provider, id }, "a rail reports a payout that is no withdrawal of ours");
    return "over";
  }
  if (payout) await applyPayout(found, payout);
  const isGivenUp = found.status === "failed" && payout?.answer.status !== "paid" && payout?.answer.status !== "failed";
  return isGivenUp && found.failedAgoMs < WATCHED_MS ? "open" : "over";
}

/** Writes what a rail says of a payout. Does nothing where all of that is written. */
export async function applyPayout(key: CallKey, { answer, returns }: Omit<Payout, "id" | "changedAt">): Promise<void> {
  await finishCall(withdrawalCall, key, answer);
  if (answer.status === "paid" && returns.length > 0) await receiveReturns(key, returns);
}

/** A withdrawal as far as its payout is compared with the rail's, in cents. */
export type PaidOut = CallKey & { status: WithdrawalStatus; amount: number; returned: number; failedAgoMs: number };

/** The withdrawals of these payouts of a rail, whosever they are. */
export const readPaidOut = (provider: string, ids: readonly string[]): Promise<PaidOut[]> =>
  runPrepared<PaidOut>("withdrawals_of_payouts", OF_PAYOUTS, [provider, ids]);

/** One step of the index for each. */
const OF_PAYOUTS = `with ${SCOPE_OF_ALL}
  select w.* from scope cross join unnest($2::uuid[]) as payout(id) cross join lateral (
    select account_id as "accountId", id, status::text as status, amount::float8 as amount, returned_amount::float8 as returned,
      coalesce(extract(epoch from updated_at - now()) * -1000, 0)::float8 as "failedAgoMs"
    from withdrawals where scope.name is not null and id = payout.id and provider = $1 offset 0
  ) w`;
