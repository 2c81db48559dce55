import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { SubscriptionDetail } from "@/components/subscriptions/detail";
import { subscriptionQuery } from "@/components/subscriptions/detail-queries";
import { readSubscription } from "@/lib/subscriptions/read";

export const generateMetadata = titled("subscriptions", "detail.title");

export default recordPage({
  texts: ["subscriptions", "timeline", "deliveries", "card"],
  scope: "subscriptions:read",
  feature: "recurring",
  subject: "subscription",
  reads: (account, id) => [[subscriptionQuery(account.id, id), () => readSubscription(account, id)]],
  shows: SubscriptionDetail,
});
