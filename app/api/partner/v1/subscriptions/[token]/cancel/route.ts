import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { CancelBody, SubscriptionAnswer } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Cancel a subscription, at once or at the end of what is paid",
      tag: "Subscriptions",
      scopes: ["subscriptions:write"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      body: CancelBody,
      evenIfFull: true,
      response: SubscriptionAnswer,
      errors: ["invalid_transition"],
    },
    ({ account, params, body, intent }) => cancelSubscription(account, { ...body, id: params.token ?? "" }, intent),
  ),
});
