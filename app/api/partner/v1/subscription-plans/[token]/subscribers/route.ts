import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listPlanSubscribers } from "@/lib/subscriptions/read";
import { PlanSubscriberPage, SubscriberQuery } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List who subscribes to a plan, newest first",
      tag: "Subscriptions",
      scopes: ["subscriptions:read"],
      feature: "recurring",
      ids: { token: "plan_not_found" },
      query: SubscriberQuery,
      response: PlanSubscriberPage,
    },
    ({ account, params, query }) => listPlanSubscribers(account.id, params.token ?? "", query),
  ),
});
