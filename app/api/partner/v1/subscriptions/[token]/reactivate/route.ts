import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { resumeSubscription } from "@/lib/subscriptions/pause";
import { SubscriptionAnswer } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Resume a paused subscription",
      tag: "Subscriptions",
      scopes: ["subscriptions:write"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      evenIfFull: true,
      response: SubscriptionAnswer,
      errors: ["invalid_transition", "open_charge_exists"],
    },
    ({ account, params, idem, requestId }) => resumeSubscription(account, params.token ?? "", { idem, requestId }),
  ),
});
