import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { SubscriptionDetail } from "@/components/subscriptions/detail";
import { subscriptionQuery, timelineQuery } from "@/components/subscriptions/detail-queries";
import { readSubscriptionTimeline } from "@/lib/dashboard/subscription";
import { readSubscription } from "@/lib/subscriptions/read";

export const generateMetadata = titled("subscriptions", "detail.title");

export default recordPage({
  texts: ["subscriptions", "timeline", "deliveries", "card"],
  scope: "subscriptions:read",
  feature: "recurring",
  reads: (account, id) => [
    [subscriptionQuery(account.id, id), () => readSubscription(account, id)],
    [timelineQuery(account.id, id), async () => ({ data: await readSubscriptionTimeline(account, id) })],
  ],
  shows: SubscriptionDetail,
});
