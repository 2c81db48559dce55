import type { Transitions } from "@/lib/states";
import type { InvitationStatus } from "@/prisma/client/enums";

/** The transitions of an invitation to a team. One whose time is over stays pending until it is made anew or cancelled. */
export const invitationTransitions = {
  accept: { from: ["pending"], to: "accepted" },
  cancel: { from: ["pending"], to: "cancelled" },
} as const satisfies Transitions<InvitationStatus>;
