import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { returnUnmatched } from "@/lib/unmatched/return";
import { ReturnBody, UnmatchedAnswer } from "@/lib/unmatched/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Send unmatched money back to its payer, with a reason",
      tag: "Operator",
      auth: "staff",
      staffScope: "money:write",
      stepUp: true,
      acceptsKey: true,
      ids: { id: "unmatched_not_found", receipt: "unmatched_not_found" },
      body: ReturnBody,
      response: UnmatchedAnswer,
      errors: ["unmatched_not_found", "rail_not_configured", "invalid_transition", "rail_unavailable"],
    },
    ({ params, body, intent }) =>
      returnUnmatched({ ...body, accountId: params.id ?? "", id: params.receipt ?? "" }, intent),
  ),
});
