import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { approveRefund } from "@/lib/refunds/approve";
import { RefundAnswer } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Approve a refund, whose money then goes back to its payer",
      tag: "Operator",
      auth: "staff",
      staffScope: "refunds:write",
      stepUp: true,
      acceptsKey: true,
      ids: { id: "refund_not_found" },
      response: RefundAnswer,
      errors: ["refund_not_found", "own_request", "invalid_transition", "rail_not_configured"],
    },
    ({ params, intent }) => approveRefund({ accountId: params.id ?? "", code: params.code ?? "" }, intent),
  ),
});
