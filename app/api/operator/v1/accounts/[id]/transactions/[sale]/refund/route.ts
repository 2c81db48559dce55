import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { refundErrors } from "@/lib/refunds/request";
import { requestRefundForSeller } from "@/lib/refunds/request-for-seller";
import { RefundAnswer, RefundForSeller } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Ask for a refund of a seller's sale, with details that the seller reads",
      tag: "Operator",
      auth: "staff",
      staffScope: "refunds:write",
      stepUp: true,
      acceptsKey: true,
      ids: { id: "account_not_found", sale: "transaction_not_found" },
      body: RefundForSeller,
      status: 201,
      response: RefundAnswer,
      errors: refundErrors,
    },
    ({ params, body, intent }) =>
      requestRefundForSeller({ ...body, accountId: params.id ?? "", id: params.sale ?? "" }, intent),
  ),
});
