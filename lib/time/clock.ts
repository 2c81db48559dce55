/** The database's clock as this process knows it: its time at an instant of the process's own steady clock. */
type Reading = { at: number; steadyAt: number };

/** Pages and API are two bundles in one process, so what must exist once is kept on the global object. */
const shared = globalThis as typeof globalThis & { repasseClock?: Reading };

/**
 * Real time by the database's clock, which `lib/time/clock-skew.ts` reads: whatever is compared with a time of the database or
 * of another process comes from here, because the clocks of machines differ. Before the first reading, by the process's
 * own clock. In between it goes by the steady clock, so that a step of the process's clock changes nothing.
 */
export const realNow = () => new Date(shared.repasseClock ? read(shared.repasseClock) : Date.now());

const read = ({ at, steadyAt }: Reading) => at + performance.now() - steadyAt;

/** Notes that the database's clock showed `at` some time between two instants of the steady clock. */
export function noteDatabaseTime(at: number, from: number, until: number): void {
  const known = shared.repasseClock && read(shared.repasseClock) - performance.now() + (from + until) / 2;
  // What the reading leaves possible stays, so that the time does not go back by a millisecond at every other reading.
  if (known !== undefined && Math.abs(known - at) <= (until - from) / 2) return;
  shared.repasseClock = { at, steadyAt: (from + until) / 2 };
}

/**
 * The business time of an account: real time for live accounts, the sandbox's own clock for sandboxes. `due`,
 * `expires_at`, `paid_at` and `occurred_at` are in business time; tokens, sessions, limits and retries are in real time.
 */
export const businessNow = (account: Clock) => businessTime(account, realNow());

/** A real instant on the account's clock. */
export const businessTime = ({ clockOffsetMs }: Clock, real: Date) => new Date(real.getTime() + Number(clockOffsetMs));

type Clock = { clockOffsetMs: number | bigint };

/** ISO 8601 UTC with microseconds and Z, the form of every time in the interface. */
export const iso = (date: Date) => date.toISOString().replace("Z", "000Z");

/** The same with milliseconds, the form of the times of an invite. */
export const isoMilliseconds = (date: Date) => date.toISOString();

/** `iso`, or null. PostgreSQL stores years past 9999, which no JavaScript date can write: they are null too. */
export const isoOrNull = (date: Date | null | undefined) => (date && isWritable(date) ? iso(date) : null);

const isWritable = (date: Date) => date.getTime() < Date.UTC(10_000, 0);
