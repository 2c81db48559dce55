import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { rejectRefund } from "@/lib/refunds/reject";
import { RefundAnswer, RejectBody } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Refuse a refund, with a category and a reason that the seller reads",
      tag: "Operator",
      auth: "staff",
      staffScope: "refunds:write",
      acceptsKey: true,
      ids: { id: "refund_not_found" },
      body: RejectBody,
      response: RefundAnswer,
      errors: ["refund_not_found", "invalid_transition"],
    },
    ({ params, body, intent }) =>
      rejectRefund({ ...body, accountId: params.id ?? "", code: params.code ?? "" }, intent),
  ),
});
