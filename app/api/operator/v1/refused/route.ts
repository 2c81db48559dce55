import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readRefused } from "@/lib/refusals/read";
import { RefusedQuery, RefusedRules } from "@/lib/refusals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The charges that our rules refused, by the rule",
      tag: "Operator",
      auth: "staff",
      query: RefusedQuery,
      response: RefusedRules,
    },
    ({ query }) => readRefused(query),
  ),
});
