import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { cancelRefund } from "@/lib/refunds/cancel";
import { RefundAnswer } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Cancel a refund that is not decided yet",
      tag: "Refunds",
      scopes: ["refunds:write"],
      feature: "refunds",
      evenIfFull: true,
      response: RefundAnswer,
      errors: ["refund_not_found", "invalid_transition"],
    },
    ({ account, params, intent }) => cancelRefund(account, { code: params.code ?? "" }, intent),
  ),
});
