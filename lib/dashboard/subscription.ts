import type { AccountContext } from "@/lib/accounts/context";
import type { SubscriptionTimeline } from "@/lib/dashboard/schema";
import { readFor } from "@/lib/db";
import { inOrder } from "@/lib/timeline/entry";
import { aheadOf } from "@/lib/timeline/read";
import { entriesOfSubscription } from "@/lib/timeline/subscription";

type Item = SubscriptionTimeline[number];

/** What happened around a subscription, newest first. Throws `subscription_not_found`, also for another account's. */
export const readSubscriptionTimeline = (
  { id: accountId }: AccountContext,
  id: string,
): Promise<SubscriptionTimeline> =>
  readFor(accountId, async (tx) => {
    const items = inOrder(await entriesOfSubscription(tx, accountId, id), await aheadOf(tx, accountId));
    return items.map(({ actor, changes, ...item }) => ({ ...item, kind: item.kind as Item["kind"] }));
  });
