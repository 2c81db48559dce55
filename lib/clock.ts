/**
 * Business time of an account: what `due`, `expires_at`, `paid_at` and `occurred_at` are told in. Real for live
 * accounts, the sandbox's own clock for sandboxes. Tokens, sessions, limits and retries use real time instead.
 */
export const businessNow = (account: Clock) => businessTime(account, new Date());

/** A real instant on the account's clock. */
export const businessTime = ({ clockOffsetMs }: Clock, real: Date) => new Date(real.getTime() + Number(clockOffsetMs));

type Clock = { clockOffsetMs: number | bigint };

/** ISO 8601 UTC with microseconds and Z, the form of every time in the interface. */
export const iso = (date: Date) => date.toISOString().replace("Z", "000Z");

/** Null also for an instant that no date can say: PostgreSQL keeps years past 9999, and the database's client reads none. */
export const isoOrNull = (date: Date | null | undefined) => (date && isWritable(date) ? iso(date) : null);

const isWritable = (date: Date) => date.getTime() < Date.UTC(10_000, 0);
