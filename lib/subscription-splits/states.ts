import type { Transitions } from "@/lib/states";
import type { SplitStatus } from "@/prisma/client/enums";

/** The transitions of a plan's split. */
export const splitTransitions = {
  accept: { from: ["pending"], to: "accepted" },
  reject: { from: ["pending"], to: "rejected" },
  cancel: { from: ["pending", "accepted"], to: "cancelled" },
} as const satisfies Transitions<SplitStatus>;

/** The statuses that count: a plan's splits in these stay below 100 %. */
export const openSplits: SplitStatus[] = [...splitTransitions.cancel.from];
