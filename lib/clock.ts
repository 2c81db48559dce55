/**
 * The business time of an account: real time for live accounts, the sandbox's own clock for sandboxes. `due`,
 * `expires_at`, `paid_at` and `occurred_at` are in business time; tokens, sessions, limits and retries are in real time.
 */
export const businessNow = (account: Clock) => businessTime(account, new Date());

/** A real instant on the account's clock. */
export const businessTime = ({ clockOffsetMs }: Clock, real: Date) => new Date(real.getTime() + Number(clockOffsetMs));

type Clock = { clockOffsetMs: number | bigint };

/** ISO 8601 UTC with microseconds and Z, the form of every time in the interface. */
export const iso = (date: Date) => date.toISOString().replace("Z", "000Z");

/** The same with milliseconds, the form of the times of an invite (interface.md, Split invite). */
export const isoMilliseconds = (date: Date) => date.toISOString();

/** `iso`, or null. PostgreSQL stores years past 9999, which no JavaScript date can write: they are null too. */
export const isoOrNull = (date: Date | null | undefined) => (date && isWritable(date) ? iso(date) : null);

const isWritable = (date: Date) => date.getTime() < Date.UTC(10_000, 0);
