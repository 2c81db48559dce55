/**
 * Where a crash in the middle of a charge has to end well, by name. A test dies at each in every flow
 * (`lib/charges/crash.test.ts`); so a new point is a new row here and nothing more.
 */
export const crashPoints = {
  "charge.unbegun": "the token is spent and the sale written, and nothing of it committed",
  "charge.begun": "the sale is committed, the acquirer was not asked",
  "charge.answered": "the acquirer answered, and we have not written down what",
  "charge.finishing": "the money is posted, and nothing of it committed",
  "charge.finished": "all is committed, and the caller has no answer",
  "resolve.answered": "the acquirer was asked again, and what it said is not written down",
  "settle.posting": "a sale's money is made available, and nothing of it committed",
} as const;

export type CrashPoint = keyof typeof crashPoints;

/** Dies here when the environment says so: only tests set CRASH_AT. */
export function mayCrash(at: CrashPoint): void {
  if (process.env.CRASH_AT === at) process.kill(process.pid, "SIGKILL");
}
