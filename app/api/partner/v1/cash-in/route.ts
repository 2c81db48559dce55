import { depositErrors, requestDeposit } from "@/lib/deposits/request";
import { CashIn, CashInBody } from "@/lib/deposits/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Ask for a deposit via Pix",
      tag: "Pix",
      scopes: ["transactions:write"],
      body: CashInBody,
      response: CashIn,
      errors: depositErrors,
    },
    ({ account, body, intent }) => requestDeposit(account, body, intent),
  ),
});
