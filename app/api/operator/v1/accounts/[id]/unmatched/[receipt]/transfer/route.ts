import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { TransferBody, UnmatchedAnswer } from "@/lib/unmatched/schema";
import { transferUnmatched } from "@/lib/unmatched/transfer";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Say that unmatched money was moved from another PSP by the operator, with a reason",
      tag: "Operator",
      auth: "staff",
      staffScope: "money:write",
      stepUp: true,
      acceptsKey: true,
      ids: { id: "unmatched_not_found", receipt: "unmatched_not_found" },
      body: TransferBody,
      response: UnmatchedAnswer,
      errors: ["unmatched_not_found", "provider_not_found", "invalid_transition", "rail_unavailable"],
    },
    ({ params, body: { provider: from, reason }, intent }) =>
      transferUnmatched({ from, reason, accountId: params.id ?? "", id: params.receipt ?? "" }, intent),
  ),
});
