import { before, type States } from "@/lib/states";
import type { SplitStatus } from "@/prisma/client/enums";

/** Every status of a plan's split, and those it may move to (domain.md section 2). */
export const splitStates: States<SplitStatus> = {
  pending: ["accepted", "rejected", "cancelled"],
  accepted: ["cancelled"],
  rejected: [],
  cancelled: [],
};

/** The statuses that count: a plan's splits in these stay below 100 %. */
export const openSplits = before(splitStates, "cancelled");
