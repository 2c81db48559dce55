import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readTimeline } from "@/lib/timeline/read";
import { Timeline } from "@/lib/timeline/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What happened around a record and who did it, newest first",
      tag: "Dashboard",
      response: Timeline,
      errors: [
        "insufficient_scope",
        "not_found",
        "transaction_not_found",
        "subscription_not_found",
        "refund_not_found",
      ],
    },
    ({ account, caller, params: { subject = "", id = "" } }) => readTimeline(account, caller.scopes, subject, id),
  ),
});
