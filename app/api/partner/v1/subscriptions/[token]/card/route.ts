import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { replaceCard } from "@/lib/subscriptions/replace-card";
import { ReplaceCardBody, SubscriptionAnswer } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: endpoint(
    {
      summary: "Replace the card that a subscription is charged on",
      tag: "Subscriptions",
      scopes: ["subscriptions:write", "cards:write"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      body: ReplaceCardBody,
      response: SubscriptionAnswer,
      errors: [
        "invalid_transition",
        "DUPLICATE_CARD_TOKEN",
        "card_token_expired",
        "rail_unavailable",
        "account_not_approved",
        "account_suspended",
      ],
    },
    ({ account, caller, params, body, ip, userAgent, intent }) => {
      const seen = caller.kind === "session" ? { ip, user_agent: userAgent || "unknown" } : null;
      return replaceCard(account, { id: params.token ?? "", card: body.card, device: body.device ?? seen }, intent);
    },
  ),
});
