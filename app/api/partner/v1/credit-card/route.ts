import { chargeCard } from "@/lib/charges/charge";
import { Charge, ChargeBody } from "@/lib/charges/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Charge a tokenized card",
      tag: "Cards",
      scopes: ["cards:write"],
      feature: "cards",
      body: ChargeBody,
      response: Charge,
      errors: [
        "https_required",
        "account_not_approved",
        "account_suspended",
        "card_token_expired",
        "DUPLICATE_CARD_TOKEN",
        "card_refused",
        "antifraud_refused",
        "split_exceeds_total",
        "split_own_account",
        "webhook_url_not_allowed",
        "rail_not_configured",
        "charge_not_made",
      ],
    },
    ({ account, body, intent }) => chargeCard(account, body, intent),
  ),
});
