import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readUnmatched } from "@/lib/unmatched/read";
import { UnmatchedDetailAnswer } from "@/lib/unmatched/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up unmatched money, with the sales that it may have been meant for",
      tag: "Operator",
      auth: "staff",
      ids: { id: "unmatched_not_found", receipt: "unmatched_not_found" },
      response: UnmatchedDetailAnswer,
      errors: ["unmatched_not_found"],
    },
    ({ params }) => readUnmatched({ accountId: params.id ?? "", id: params.receipt ?? "" }),
  ),
});
