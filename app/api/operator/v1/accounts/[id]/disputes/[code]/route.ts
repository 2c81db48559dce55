import { readDisputeReview } from "@/lib/disputes/review";
import { DisputeReviewDetail } from "@/lib/disputes/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a dispute of any seller",
      tag: "Operator",
      auth: "staff",
      ids: { id: "dispute_not_found" },
      response: DisputeReviewDetail,
      errors: ["dispute_not_found"],
    },
    ({ params }) => readDisputeReview(params.id ?? "", params.code ?? ""),
  ),
});
