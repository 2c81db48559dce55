import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Subscriptions } from "@/components/subscriptions/list";
import { PLANS_LISTED, plansToFilter } from "@/components/subscriptions/queries";
import { listPlans } from "@/lib/plans/read";
import { PlanQuery } from "@/lib/plans/schema";
import { listSubscriptions } from "@/lib/subscriptions/read";
import { SubscriptionQuery } from "@/lib/subscriptions/schema";

export const generateMetadata = titled("subscriptions", "list.title");

export default listPage({
  texts: ["subscriptions"],
  scope: "subscriptions:read",
  feature: "recurring",
  key: ["subscriptions", "list"],
  path: "/api/partner/v1/subscriptions",
  query: { per_page: 25 },
  filters: SubscriptionQuery,
  // To people, what is paused has a status of its own.
  means: {
    status: {
      paused: { status: "suspended", paused: "true" },
      suspended: { status: "suspended", paused: "false" },
    },
  },
  read: ({ id }, query) => listSubscriptions(id, query),
  reads: ({ id }) => [[plansToFilter(id), () => listPlans(id, PlanQuery.parse({ per_page: PLANS_LISTED }))]],
  shows: Subscriptions,
  curl: `curl -X POST $API/subscription-plans/$PLAN/enroll -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"name": "Ana Prado", "email": "ana@exemplo.com.br", "document": "52998224725"}'`,
});
