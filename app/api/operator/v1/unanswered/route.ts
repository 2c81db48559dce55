import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { pageOf } from "@/lib/lists/pagination";
import { listUnanswered } from "@/lib/outside/read";
import { Unanswered, UnansweredQuery } from "@/lib/outside/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List what no provider has answered for a day, the longest waiting first",
      tag: "Operator",
      auth: "staff",
      query: UnansweredQuery,
      response: pageOf(Unanswered),
    },
    ({ query }) => listUnanswered(query),
  ),
});
