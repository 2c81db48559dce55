import type { Transitions } from "@/lib/states";
import type { DisputeStatus } from "@/prisma/client/enums";

/** The transitions of a dispute, all of which its provider reports. One that is lost may be lost in part. */
export const disputeTransitions = {
  win: { from: ["open"], to: "won" },
  lose: { from: ["open"], to: "lost" },
  cancel: { from: ["open"], to: "cancelled" },
} as const satisfies Transitions<DisputeStatus>;

export type DisputeTransition = keyof typeof disputeTransitions;

export const disputeStatusLabels = {
  open: "Aberta",
  won: "Ganha",
  lost: "Perdida",
  cancelled: "Cancelada",
} as const satisfies Record<DisputeStatus, string>;
