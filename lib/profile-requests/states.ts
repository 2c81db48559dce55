import type { Transitions } from "@/lib/states";
import type { ProfileRequestStatus } from "@/prisma/client/enums";

/** The transitions of a request: the operator's staff decides it, unless its seller takes it back. */
export const profileRequestTransitions = {
  approve: { from: ["pending"], to: "approved" },
  reject: { from: ["pending"], to: "rejected" },
  cancel: { from: ["pending"], to: "cancelled" },
} as const satisfies Transitions<ProfileRequestStatus>;
