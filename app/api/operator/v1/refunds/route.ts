import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listReviews } from "@/lib/refunds/review";
import { ReviewPage, ReviewQuery } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List refunds to review, the longest waiting first",
      tag: "Operator",
      auth: "staff",
      query: ReviewQuery,
      response: ReviewPage,
    },
    ({ query }) => listReviews(query),
  ),
});
