import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readSubscription } from "@/lib/subscriptions/read";
import { SubscriptionAnswer } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a subscription",
      tag: "Subscriptions",
      scopes: ["subscriptions:read"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      response: SubscriptionAnswer,
    },
    ({ account, params }) => readSubscription(account, params.token ?? ""),
  ),
});
