import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Overdue } from "@/components/subscriptions/overdue";
import { listSubscriptions } from "@/lib/subscriptions/read";
import { SubscriptionQuery } from "@/lib/subscriptions/schema";

export const generateMetadata = titled("subscriptions", "overdue.title");

export default listPage({
  texts: ["subscriptions"],
  scope: "subscriptions:read",
  feature: "recurring",
  key: ["subscriptions", "overdue"],
  path: "/api/partner/v1/subscriptions",
  query: { owing: "true", per_page: 25 },
  filters: SubscriptionQuery,
  read: ({ id }, query) => listSubscriptions(id, query),
  shows: Overdue,
  curl: `curl "$API/subscriptions?owing=true" -H "Authorization: Bearer $TOKEN"`,
});
