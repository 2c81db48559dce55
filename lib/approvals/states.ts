import type { Transitions } from "@/lib/states";
import type { ApprovalStatus } from "@/prisma/client/enums";

/** The transitions of what a second person decides. */
export const approvalTransitions = {
  approve: { from: ["pending"], to: "approved" },
  reject: { from: ["pending"], to: "rejected" },
  lapse: { from: ["pending"], to: "lapsed" },
} as const satisfies Transitions<ApprovalStatus>;
