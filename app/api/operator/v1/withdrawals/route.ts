import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { WaitingPage, WaitingQuery } from "@/lib/withdrawals/schema";
import { listWaiting } from "@/lib/withdrawals/waiting";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List withdrawals that need a person, the longest waiting first",
      tag: "Operator",
      auth: "staff",
      query: WaitingQuery,
      response: WaitingPage,
    },
    ({ query }) => listWaiting(query),
  ),
});
