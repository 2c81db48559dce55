import { inParallel } from "@/lib/concurrency/parallel";
import { startAttempts } from "@/lib/due/attempts";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { type CallKind, resolveCall, sendCall } from "@/lib/outside/calls";
import { type Claimed, claimCalls, claimCallsOf, leases, OF_ONE } from "@/lib/outside/claim";
import { mayCrash } from "@/lib/process/crash-points";

/** The pauses after a look that found nothing, and after one that another process's look was in the way of. */
export const IDLE_MS = 2_000;
const COUNTING_MS = 50;
const GATHER_MS = 20;
const HELD_BACK_MS = 60_000;

/**
 * Makes calls that are due until the returned function is called (`startAttempts`): it sends those that are written, and
 * asks about those whose outcome is unknown, again and again until it is known. The rows of `calls` are the queue. A
 * provider that is slow or silent holds back only its own calls.
 */
export const startCalls =
  (kinds: readonly CallKind<unknown>[]) =>
  (failed: (error: unknown) => void): (() => Promise<void>) =>
    startAttempts<Claimed>(
      {
        on: "calls",
        gatherMs: GATHER_MS,
        heldBackMs: HELD_BACK_MS,
        async claim(worker) {
          const { claimed, isCounting } = await claimCalls(worker, namesOf(kinds));
          return { claimed, pauseMs: isCounting ? COUNTING_MS : IDLE_MS };
        },
        attempt: (worker, call) => attempt(worker, kinds, call),
        renew: leases.renew,
        release: leases.release,
      },
      failed,
    );

/**
 * Makes one batch of the calls of these kinds that are due, and waits for it. Returns whether more may be due. With
 * `accountId`, it sends what is written of one account, or may be sent again, and asks about nothing else.
 */
export async function makeDueCalls(kinds: readonly CallKind<unknown>[], accountId?: string): Promise<boolean> {
  const worker = newId();
  const claimed = accountId
    ? await claimCallsOf(worker, accountId, kinds)
    : (await claimCalls(worker, namesOf(kinds))).claimed;
  await inParallel(claimed, claimed.length, (call) => attempt(worker, kinds, call));
  return claimed.length >= OF_ONE;
}

const namesOf = (kinds: readonly CallKind<unknown>[]) => kinds.map(({ name }) => name);

/** Sends a call, or asks about it. One that fails is due again later, and stops no other. */
async function attempt(worker: string, kinds: readonly CallKind<unknown>[], call: Claimed): Promise<void> {
  const kind = kinds.find(({ name }) => name === call.kind);
  if (!kind) return;
  mayCrash("call.claimed");
  const { isSent, isAccepted, accountId, id } = call;
  const isToBeSent = !isSent || (kind.isIdempotent && !isAccepted);
  await (isToBeSent ? sendCall(kind, call) : resolveCall(kind, call)).catch(async (error) => {
    log.warn({ accountId, id, kind: kind.name, error }, "a call could not be made, or its outcome is not known yet");
    await leases.wait(worker, [call]);
  });
}
