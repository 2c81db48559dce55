/**
 * The points at which tests crash the process. `lib/charges/crash.test.ts`, `lib/deposits/call.test.ts`,
 * `lib/refunds/crash.test.ts`, `lib/withdrawals/crash.test.ts`, `lib/disputes/crash.test.ts`, `lib/mail/crash.test.ts`, `lib/webhooks/replay.test.ts`, `lib/sandbox/reset.test.ts` and `lib/privacy/crash.test.ts` crash every flow at each point that it passes, so a new point needs
 * only a new row here.
 */
export const crashPoints = {
  "call.claimed": "a call that is due is claimed, and nothing of it begun",
  "call.beginning": "the record and the call are written, and nothing of it committed",
  "call.begun": "both are committed, the provider was not asked",
  "call.answered": "the provider answered, and its answer is not written",
  "call.finishing": "the answer is written with all that follows, and nothing of it committed",
  "call.finished": "all is committed, and the caller has no answer",
  "call.found": "the provider was asked again, and its answer is not written",
  "settle.posting": "a sale's money is made available, and nothing of it committed",
  "refund.requested": "a refund is written with the money that it holds, and nothing of it committed",
  "refund.approved": "a refund is approved and its call written, and nothing of it committed",
  "refund.ending": "a refund has ended the subscription of its sale, and nothing of it committed",
  "unmatched.matching": "unmatched money is decided to pay a sale, which is not paid, and nothing of it committed",
  "unmatched.returning": "unmatched money is on its way back and its call written, and nothing of it committed",
  "withdrawal.returning": "money of a withdrawal came back, and nothing of it committed",
  "withdrawal.given_up": "a withdrawal is given up, and nothing of it committed",
  "withdrawal.requested": "a withdrawal is written with the money that it holds, and nothing of it committed",
  "withdrawal.approved": "a withdrawal's call is written by its approval, and nothing of it committed",
  "dispute.opened": "a dispute is opened with the money that it blocks, and nothing of it committed",
  "dispute.blocked": "money that came later is blocked for disputes, and nothing of it committed",
  "dispute.ended": "a dispute has ended with all that it moves, and nothing of it committed",
  "cycle.paying": "cycles are paid by their sales, and nothing of it committed",
  "cycle.stepping": "a set of subscriptions was billed, and nothing of it committed",
  "replay.planned": "a set of a replay is planned, and nothing of it committed",
  "mail.claimed": "a mail is committed and claimed, and no server was asked",
  "mail.accepted": "a server accepted the mail, and that is not written",
  "erasure.batch": "a batch of a person's records is erased, and nothing of it committed",
  "sandbox.resetting": "a new sandbox has taken the place of the former one, and nothing of it committed",
  "erasure.ending": "all is erased, and that is not committed",
} as const;

export type CrashPoint = keyof typeof crashPoints;

/** Kills this process here when CRASH_AT names this point; only tests set it. */
export function mayCrash(at: CrashPoint): void {
  if (process.env.CRASH_AT === at) process.kill(process.pid, "SIGKILL");
}
