import type { States } from "@/lib/states";
import type { AccountStatus } from "@/prisma/client/enums";

/** An account, as the operator's staff move it. Nothing leads back to `pending`. */
export const accountStates = {
  pending: ["approved", "suspended"],
  approved: ["suspended"],
  suspended: ["approved"],
} as const satisfies States<AccountStatus>;
