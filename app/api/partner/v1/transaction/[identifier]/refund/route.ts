import { Awaiting } from "@/lib/approvals/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { refundErrors, requestRefund, requestRefundAsPerson } from "@/lib/refunds/request";
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
      response: RefundAnswer.or(Awaiting),
      goesOn: (answer: object) => "approval" in answer,
      errors: [...refundErrors, "step_up_required"],
    },
    ({ account, caller, params, body, intent }) => {
      const asked = { ...body, id: params.identifier ?? "" };
      if (caller.kind === "session") return requestRefundAsPerson(account, { ...asked, by: caller }, intent);
      return requestRefund(account, asked, intent);
    },
  ),
});
