import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readRefund } from "@/lib/refunds/read";
import { RefundAnswer } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a refund with its history",
      tag: "Refunds",
      scopes: ["refunds:read"],
      feature: "refunds",
      response: RefundAnswer,
      errors: ["refund_not_found"],
    },
    ({ account, params }) => readRefund(account.id, params.code ?? ""),
  ),
});
