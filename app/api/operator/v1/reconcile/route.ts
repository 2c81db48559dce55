import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { listReconcileRuns, reconcileNow } from "@/lib/reconcile/runs";
import { ReconcileRuns } from "@/lib/reconcile/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The newest comparisons of all money, with what they found",
      tag: "Operator",
      auth: "staff",
      response: ReconcileRuns,
    },
    () => listReconcileRuns(),
  ),
  POST: endpoint(
    {
      summary: "Compare all money now, in the background",
      tag: "Operator",
      auth: "staff",
      staffScope: "money:write",
      status: 202,
      response: Message,
    },
    () => reconcileNow(),
  ),
});
