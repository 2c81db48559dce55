import type { States } from "@/lib/states";
import type { AccountStatus } from "@/prisma/client/enums";

/** The statuses between which the operator's staff move an account. None leads back to `pending`. */
export const accountStates = {
  pending: ["approved", "suspended"],
  approved: ["suspended"],
  suspended: ["approved"],
} as const satisfies States<AccountStatus>;
