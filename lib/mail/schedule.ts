const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The waits after each failed attempt, 54 hours in all: a mail server may be away for a weekend's two days. */
const WAITS_MS = [10_000, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR, 24 * HOUR];

const JITTER = 0.1;

/**
 * Milliseconds until the next attempt after `attempt` (from 1) failed, or null when none is left. The wait is spread by
 * ±10 %, so that mails that failed together are not repeated together.
 */
export function waitAfter(attempt: number, random = Math.random): number | null {
  const wait = WAITS_MS[attempt - 1];
  return wait === undefined ? null : Math.round(wait * (1 + JITTER * (2 * random() - 1)));
}
