const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The waits after each failed attempt, one after the other. A failure after the last wait ends the delivery. */
const WAITS_MS = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY];

const JITTER = 0.1;
const RETRY_AFTER_MAX_MS = DAY;

/** How often a disabled webhook is tried again, and how long its backlog is kept. */
export const PROBE_WAIT_MS = DAY;
export const BACKLOG_MS = 14 * DAY;

const DISABLE_AFTER_FAILURES = 12;
/** The shortest time of only failures after which a webhook is disabled. */
export const DISABLE_AFTER_MS = DAY;

/**
 * Milliseconds until the next attempt after `attempt` (from 1) failed, or null when none is left. The wait is spread by
 * ±10 %, so that deliveries that failed together are not repeated together. A longer Retry-After, up to a day, is
 * obeyed.
 */
export function waitAfter(attempt: number, retryAfterMs: number | null, random = Math.random): number | null {
  const wait = WAITS_MS[attempt - 1];
  if (wait === undefined) return null;
  const spread = Math.round(wait * (1 + JITTER * (2 * random() - 1)));
  return Math.max(spread, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
}

/** The waits after each attempt that may fail, the first first (`waitAfter`). */
export const waitsAfter = (retryAfterMs: number | null, random?: () => number): (number | null)[] =>
  WAITS_MS.map((_, place) => waitAfter(place + 1, retryAfterMs, random));

/** The milliseconds in a Retry-After header, given as seconds or as an HTTP date; null when it cannot be read. */
export function retryAfterOf(header: string | undefined, now: Date): number | null {
  if (!header) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

type Failing = { failuresInRow: number; failingSince: Date | null };

/** The health of a webhook after a success. */
export const healthy = { failuresInRow: 0, failingSince: null } as const satisfies Failing;

/** Whether to disable a webhook: after 12 failures in a row that also span 24 hours. */
export const isDead = (failing: Failing, now: Date) => failedFor(failing, now, 1);

const FADING = 0.5;

/** Whether to warn its owner: half way there. */
export const isFading = (failing: Failing, now: Date) => failedFor(failing, now, FADING);

/** SQL: whether a webhook may be fading or dead after so many more failures. */
export const mayFadeSql = (
  row: string,
  more: string,
) => `(${row}.failures_in_row + ${more} >= ${DISABLE_AFTER_FAILURES * FADING}
      and ${row}.failing_since <= now() - interval '${DISABLE_AFTER_MS * FADING} milliseconds')`;

function failedFor({ failuresInRow, failingSince }: Failing, now: Date, share: number) {
  if (!failingSince || failuresInRow < DISABLE_AFTER_FAILURES * share) return false;
  return now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS * share;
}
