import { compareDays, listComparisons } from "@/lib/differences/ask";
import { CompareBody, Comparisons } from "@/lib/differences/schema";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The newest comparisons with PSPs, with what was counted on both sides",
      tag: "Operator",
      auth: "staff",
      response: Comparisons,
    },
    () => listComparisons(),
  ),
  POST: endpoint(
    {
      summary: "Compare days with a PSP now, in the background: payments, what went back of them, and payouts",
      tag: "Operator",
      auth: "staff",
      staffScope: "money:write",
      status: 202,
      body: CompareBody,
      response: Message,
      errors: ["comparison_under_way"],
    },
    ({ body }) => compareDays(body),
  ),
});
