import type { States } from "@/lib/states";
import type { PlanStatus } from "@/prisma/client/enums";

/** Every status of a plan, and those it may move to (domain.md section 2). */
export const planStates: States<PlanStatus> = {
  active: ["inactive", "archived"],
  inactive: ["active", "archived"],
  archived: [],
};
