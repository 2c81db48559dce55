import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { pauseSubscription } from "@/lib/subscriptions/pause";
import { PauseBody, SubscriptionAnswer } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Pause a subscription",
      tag: "Subscriptions",
      scopes: ["subscriptions:write"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      body: PauseBody,
      evenIfFull: true,
      response: SubscriptionAnswer,
      errors: ["invalid_transition"],
    },
    ({ account, params, body, idem, requestId }) =>
      pauseSubscription(account, params.token ?? "", body, { idem, requestId }),
  ),
});
