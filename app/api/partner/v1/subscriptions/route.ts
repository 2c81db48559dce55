import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listSubscriptions } from "@/lib/subscriptions/read";
import { SubscriptionPage, SubscriptionQuery } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List subscriptions, newest first",
      tag: "Subscriptions",
      scopes: ["subscriptions:read"],
      feature: "recurring",
      query: SubscriptionQuery,
      response: SubscriptionPage,
    },
    ({ account, query }) => listSubscriptions(account.id, query),
  ),
});
