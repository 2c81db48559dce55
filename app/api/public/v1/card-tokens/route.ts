import { CardToken, CardTokenBody } from "@/lib/card-tokens/schema";
import { tokenizeCard } from "@/lib/card-tokens/tokenize";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { preflight } from "@/lib/http/page-caller";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: endpoint(
    {
      summary: "Tokenize a card in the browser, for one charge within 15 minutes",
      tag: "Cards",
      auth: "public_key",
      maxBytes: 8_000,
      acceptsCards: true,
      body: CardTokenBody,
      status: 201,
      response: CardToken,
      errors: ["https_required"],
    },
    ({ account, body }) => tokenizeCard(account, body),
  ),
  OPTIONS: preflight,
});
