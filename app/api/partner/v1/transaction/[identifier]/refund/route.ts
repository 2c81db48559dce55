import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { refundErrors, requestRefund } from "@/lib/refunds/request";
import { RefundAnswer, RefundBody } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Ask for a refund of a sale, whole or in part",
      tag: "Refunds",
      scopes: ["refunds:write"],
      feature: "refunds",
      ids: { identifier: "transaction_not_found" },
      body: RefundBody,
      status: 201,
      response: RefundAnswer,
      errors: refundErrors,
    },
    ({ account, params, body, intent }) => requestRefund(account, { ...body, id: params.identifier ?? "" }, intent),
  ),
});
