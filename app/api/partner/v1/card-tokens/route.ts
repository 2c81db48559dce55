import { CardToken, CardTokenBody } from "@/lib/card-tokens/schema";
import { tokenizeForPartner } from "@/lib/card-tokens/tokenize";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Tokenize a card, for one charge within 15 minutes",
      tag: "Cards",
      leavesNoEvent: "A token is not kept for long, and what it pays for has events.",
      scopes: ["cards:write"],
      feature: "cards",
      acceptsKey: false,
      acceptsCards: true,
      body: CardTokenBody,
      status: 201,
      response: CardToken,
      errors: ["account_not_approved", "account_suspended", "https_required"],
    },
    ({ account, body }) => tokenizeForPartner(account, body),
  ),
});
