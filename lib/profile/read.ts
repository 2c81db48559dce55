import { readFor } from "@/lib/db";
import { presentProfile } from "@/lib/profile/present";
import type { OwnAccount } from "@/lib/profile/schema";
import { readNewestRequest } from "@/lib/profile-requests/read";
import { hasSubscriptions } from "@/lib/subscriptions/read";

/** An account as its own people see it. */
export const readOwnAccount = (accountId: string): Promise<{ data: OwnAccount }> =>
  readFor(accountId, async (tx) => ({
    data: {
      ...presentProfile(await tx.account.findUniqueOrThrow({ where: { id: accountId } })),
      time_zone_is_fixed: await hasSubscriptions(tx, accountId),
      request: await readNewestRequest(tx, accountId),
    },
  }));
