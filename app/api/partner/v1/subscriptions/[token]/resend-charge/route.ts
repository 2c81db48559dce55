import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { resendCharge } from "@/lib/subscriptions/resend";
import { ChargeAnswer } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Issue a new Pix code for what a subscription owes",
      tag: "Subscriptions",
      scopes: ["subscriptions:write"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      response: ChargeAnswer,
      errors: [
        "charge_not_open",
        "rail_unavailable",
        "deposit_pending",
        "deposit_not_made",
        "account_not_approved",
        "account_suspended",
      ],
    },
    ({ account, params, intent }) => resendCharge(account, { id: params.token ?? "" }, intent),
  ),
});
