import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { PlanAnswer } from "@/lib/plans/schema";
import { updatePlan } from "@/lib/plans/update";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Archive a plan: it takes no new subscriber ever again",
      tag: "Plans",
      scopes: ["plans:write"],
      feature: "recurring",
      ids: { token: "plan_not_found" },
      response: PlanAnswer,
      errors: ["plan_not_found", "invalid_transition"],
    },
    ({ account, params, intent }) => updatePlan(account, { id: params.token ?? "", status: "archived" }, intent),
  ),
});
