import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listUnmatched } from "@/lib/unmatched/read";
import { UnmatchedPage, UnmatchedQuery } from "@/lib/unmatched/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary:
        "List money that belonged to no open sale: what is held the longest waiting first, what ended the latest first",
      tag: "Operator",
      auth: "staff",
      query: UnmatchedQuery,
      response: UnmatchedPage,
    },
    ({ query }) => listUnmatched(query),
  ),
});
