import type { Actor } from "@/lib/actor";
import { type Happened, onBothClocks } from "@/lib/timeline/clocks";
import type { TimelineItem } from "@/lib/timeline/schema";

/** An item before its place in time. */
export type Entry = Omit<TimelineItem, "at" | "real_at" | "actor"> & Happened & { actor: Actor | null };

/** What most entries have none of. */
export const plain = { cycle_number: null, sale: null, event: null, actor: null, reason: null, changes: [] };

/** When something happened that has no time on the account's clock. */
export const onlyReal = (real: Date): Happened => ({ occurredAt: null, real });

/**
 * Entries in the order in which they were written, newest first, each with its times: by real time alone, because a
 * sandbox's clock may be moved ahead between two of them. What came at once stays in the order that it is given in,
 * oldest first. `aheadNow` is how far the account's clock is ahead at present, in milliseconds.
 */
export const inOrder = (entries: readonly Entry[], aheadNow: number) =>
  onBothClocks([...entries].sort((one, other) => one.real.getTime() - other.real.getTime()).reverse(), aheadNow);
