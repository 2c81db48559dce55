import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readTimelineForReview } from "@/lib/timeline/read";
import { Timeline } from "@/lib/timeline/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What happened around a seller's sale or refund and who did it, newest first",
      tag: "Operator",
      auth: "staff",
      ids: { id: "not_found" },
      response: Timeline,
      errors: ["not_found", "transaction_not_found", "refund_not_found"],
    },
    ({ params: { id = "", subject = "", record = "" } }) => readTimelineForReview(id, subject, record),
  ),
});
