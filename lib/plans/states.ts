import type { Transitions } from "@/lib/states";
import type { PlanStatus } from "@/prisma/client/enums";

/** The transitions of a plan. */
export const planTransitions = {
  activate: { from: ["inactive"], to: "active" },
  deactivate: { from: ["active"], to: "inactive" },
  archive: { from: ["active", "inactive"], to: "archived" },
} as const satisfies Transitions<PlanStatus>;
