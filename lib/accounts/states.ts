import type { Transitions } from "@/lib/states";
import type { AccountStatus } from "@/prisma/client/enums";

/** The transitions of an account that the operator's staff makes. None leads back to `pending`. */
export const staffTransitions = {
  approve: { from: ["pending", "suspended", "closed"], to: "approved" },
  suspend: { from: ["pending", "approved"], to: "suspended" },
} as const satisfies Transitions<AccountStatus>;

/** All of them. A suspended account is not its owner's to close. A sandbox is closed by its reset alone, and for good. */
export const accountTransitions = {
  ...staffTransitions,
  close: { from: ["pending", "approved"], to: "closed" },
} as const satisfies Transitions<AccountStatus>;

/** What happened to an account by its history: it came to another status, or was changed in something else. */
export const changeOf = (was: AccountStatus, is: AccountStatus) => (was === is || is === "pending" ? "updated" : is);
