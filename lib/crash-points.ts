/**
 * Where a crash has to end well, by name. A test dies at each point in every flow that comes by it
 * (`lib/charges/crash.test.ts`, `lib/deposits/charge.test.ts`), so a new point is a new row here and nothing more.
 */
export const crashPoints = {
  "call.beginning": "the record is written and the call noted, and nothing of it committed",
  "call.begun": "both are committed, the provider was not asked",
  "call.answered": "the provider answered, and we have not written down what",
  "call.finishing": "the answer is written down with all that follows, and nothing of it committed",
  "call.finished": "all is committed, and the caller has no answer",
  "call.found": "the provider was asked again, and what it said is not written down",
  "settle.posting": "a sale's money is made available, and nothing of it committed",
} as const;

export type CrashPoint = keyof typeof crashPoints;

/** Ends this process here when the environment says so: only tests set CRASH_AT. */
export function mayCrash(at: CrashPoint): void {
  if (process.env.CRASH_AT === at) process.kill(process.pid, "SIGKILL");
}
