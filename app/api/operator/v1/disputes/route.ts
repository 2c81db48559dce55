import { listOpenDisputes } from "@/lib/disputes/review";
import { DisputeReviewPage, DisputeReviewQuery } from "@/lib/disputes/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List the open disputes of all sellers, whose deadline is nearest first",
      tag: "Operator",
      auth: "staff",
      query: DisputeReviewQuery,
      response: DisputeReviewPage,
    },
    ({ query }) => listOpenDisputes(query),
  ),
});
