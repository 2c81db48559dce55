import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { creditUnmatched } from "@/lib/unmatched/credit";
import { CreditBody, UnmatchedAnswer } from "@/lib/unmatched/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Credit unmatched money to an account, with a reason",
      tag: "Operator",
      auth: "staff",
      staffScope: "money:write",
      stepUp: true,
      acceptsKey: true,
      ids: { id: "unmatched_not_found", receipt: "unmatched_not_found" },
      body: CreditBody,
      response: UnmatchedAnswer,
      errors: [
        "unmatched_not_found",
        "account_not_found",
        "account_closed",
        "unmatched_mode_differs",
        "invalid_transition",
        "rail_unavailable",
      ],
    },
    ({ params, body: { account: to, reason }, intent }) =>
      creditUnmatched({ to, reason, accountId: params.id ?? "", id: params.receipt ?? "" }, intent),
  ),
});
