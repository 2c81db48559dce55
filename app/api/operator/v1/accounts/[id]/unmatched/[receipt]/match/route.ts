import { matchErrors, matchUnmatched } from "@/lib/deposits/match";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { MatchBody, UnmatchedAnswer } from "@/lib/unmatched/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Pay a sale with unmatched money that was meant for it, with a reason",
      tag: "Operator",
      auth: "staff",
      staffScope: "money:write",
      stepUp: true,
      acceptsKey: true,
      ids: { id: "unmatched_not_found", receipt: "unmatched_not_found" },
      body: MatchBody,
      response: UnmatchedAnswer,
      errors: matchErrors,
    },
    ({ params, body, intent }) =>
      matchUnmatched({ ...body, accountId: params.id ?? "", id: params.receipt ?? "" }, intent),
  ),
});
