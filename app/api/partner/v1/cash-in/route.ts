import { requestDeposit } from "@/lib/deposits/request";
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
      errors: [
        "account_not_approved",
        "account_suspended",
        "max_cashin_without_fee",
        "amount_below_minimum",
        "split_exceeds_total",
        "split_own_account",
        "webhook_url_not_allowed",
        "rail_unavailable",
        "deposit_pending",
        "deposit_not_made",
      ],
    },
    ({ account, body, idem, requestId }) => requestDeposit(account, body, { idem, requestId }),
  ),
});
