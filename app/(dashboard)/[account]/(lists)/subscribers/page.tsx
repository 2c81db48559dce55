import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Subscribers } from "@/components/subscribers/list";
import { listSubscribers } from "@/lib/subscriptions/read";
import { SubscriberQuery } from "@/lib/subscriptions/schema";

export const generateMetadata = titled("subscribers", "title");

export default listPage({
  texts: ["subscribers", "subscriptions"],
  scope: "subscriptions:read",
  feature: "recurring",
  key: ["subscribers", "list"],
  path: "/api/partner/v1/subscribers",
  query: { per_page: 25 },
  filters: SubscriberQuery,
  read: ({ id }, query) => listSubscribers(id, query),
  shows: Subscribers,
  curl: `curl $API/subscribers -H "Authorization: Bearer $TOKEN"`,
});
