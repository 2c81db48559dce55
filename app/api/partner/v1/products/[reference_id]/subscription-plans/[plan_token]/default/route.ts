import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { PlanAnswer } from "@/lib/plans/schema";
import { updatePlan } from "@/lib/plans/update";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Make a plan the default of its product, in place of the others",
      tag: "Plans",
      scopes: ["plans:write"],
      feature: "recurring",
      ids: { reference_id: "plan_not_found", plan_token: "plan_not_found" },
      response: PlanAnswer,
      errors: ["plan_not_found", "invalid_transition"],
    },
    ({ account, params: { plan_token: id = "", reference_id: productId = "" }, intent }) =>
      updatePlan(account, { id, productId, is_default: true }, intent),
  ),
});
