import { iso } from "@/lib/time/clock";

const MINUTE_MS = 60_000;

/** Something that happened at a real instant; `occurredAt` is on the account's clock, and null of what has no time there. */
export type Happened = { occurredAt: Date | null; real: Date };
type OnClocks<H extends Happened> = Omit<H, keyof Happened> & { at: string | null; real_at: string | null };

/**
 * The times of what happened on both clocks, given newest first by real time. A sandbox's clock never goes back, so what
 * has no time on it gets one only where the clock was not moved between the events around it. `aheadNow` is how far the
 * clock is ahead at present, in milliseconds. The real time is null where both are the same.
 */
export function onBothClocks<H extends Happened>(newestFirst: readonly H[], aheadNow: number): OnClocks<H>[] {
  let later = aheadNow;
  return newestFirst.map(({ occurredAt, real, ...item }, place) => {
    if (occurredAt) later = aheadOf({ occurredAt, real });
    const before = newestFirst.slice(place).find((other) => other.occurredAt);
    const isKnown = later - (before ? aheadOf(before) : 0) <= MINUTE_MS;
    const at = occurredAt ?? (isKnown ? new Date(real.getTime() + later) : null);
    const isReal = at !== null && Math.abs(at.getTime() - real.getTime()) <= MINUTE_MS;
    return { ...item, at: at && iso(at), real_at: isReal ? null : iso(real) };
  });
}

const aheadOf = ({ occurredAt, real }: Happened) => (occurredAt ? occurredAt.getTime() - real.getTime() : 0);
