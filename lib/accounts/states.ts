import type { Transitions } from "@/lib/states";
import type { AccountStatus } from "@/prisma/client/enums";

/** The transitions of an account, made by the operator's staff. None leads back to `pending`. */
export const accountTransitions = {
  approve: { from: ["pending", "suspended"], to: "approved" },
  suspend: { from: ["pending", "approved"], to: "suspended" },
} as const satisfies Transitions<AccountStatus>;
