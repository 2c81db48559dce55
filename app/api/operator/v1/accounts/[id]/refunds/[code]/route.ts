import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readReview } from "@/lib/refunds/review";
import { Review } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a refund of any seller",
      tag: "Operator",
      auth: "staff",
      ids: { id: "refund_not_found" },
      response: z.object({ data: Review }),
      errors: ["refund_not_found"],
    },
    ({ params }) => readReview(params.id ?? "", params.code ?? ""),
  ),
});
