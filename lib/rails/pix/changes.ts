import { inParallel } from "@/lib/concurrency/parallel";
import { log } from "@/lib/log";
import type { Debit, Mandate } from "@/lib/rails/pix/automatic";
import { askLater, CLAIM_LIMIT, type ClaimedChange, claimChanges, endCallbacks, isWatch } from "@/lib/rails/pix/inbox";
import { railNamed } from "@/lib/rails/pix/rails";

/** How many questions to rails run at once. */
const AT_ONCE = 10;

/**
 * What a noun does with the truth about a mandate or a debit. It is given the same truth any number of times, and twice at
 * once. Resolves to whether the record is over, so that nothing more is expected of it, which ends its watch. One that
 * throws, as for a mandate that is not written yet, is given the truth again later.
 */
export type Follower = {
  mandate(provider: string, mandate: Mandate): Promise<boolean>;
  debit(provider: string, debit: Debit): Promise<boolean>;
};

/**
 * Makes a loop on the topic `callbacks`: it asks rails what is true of the mandates and debits of a batch of callbacks and
 * watches (`watch`) that are due, once for each, and gives it to the follower. What a rail does not know or does not
 * answer about is due again later. The loop returns whether more may be due.
 */
export const followChanges = (follower: Follower) => async (): Promise<boolean> => {
  const due = await claimChanges();
  const claims = new Map<string, ClaimedChange[]>();
  for (const change of due) {
    const { provider, mandateId, txid } = change;
    const about = JSON.stringify([provider, mandateId, txid]);
    claims.set(about, [...(claims.get(about) ?? []), change]);
  }
  const ended: ClaimedChange[] = [];
  await inParallel(claims, AT_ONCE, async ([about, claimed]) => {
    await follow(follower, claimed).then(
      (over) => void ended.push(...over),
      (error) => log.warn({ about, error }, "a change of Pix Automático was not followed yet"),
    );
  });
  await askLater(due.filter((change) => !ended.includes(change)));
  return due.length === CLAIM_LIMIT;
};

/** Callbacks end with the truth; a watch ends with the record. Returns what ended. */
async function follow(follower: Follower, claimed: readonly ClaimedChange[]): Promise<ClaimedChange[]> {
  const isOver = await giveTruth(follower, claimed[0] as ClaimedChange);
  const ended = claimed.filter((change) => isOver || !isWatch(change));
  await endCallbacks(ended);
  return ended;
}

async function giveTruth(follower: Follower, { provider, mandateId, txid }: ClaimedChange): Promise<boolean> {
  const rail = railNamed(provider)?.automatic;
  if (!rail) throw new Error(`No rail with Pix Automático is named ${provider}`);
  if (mandateId !== null) return follower.mandate(provider, known(await rail.readMandate(mandateId)));
  return follower.debit(provider, known(await rail.readDebit(txid as string)));
}

function known<T>(truth: T | null): T {
  if (truth === null) throw new Error("The rail does not know it");
  return truth;
}
