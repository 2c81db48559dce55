import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { PlanAnswer, PlanChange, RemovedPlan } from "@/lib/plans/schema";
import { deactivatePlan, updatePlan } from "@/lib/plans/update";

const nested = {
  tag: "Plans",
  feature: "recurring",
  scopes: ["plans:write"],
  ids: { reference_id: "plan_not_found", plan_token: "plan_not_found" },
  errors: ["plan_not_found", "invalid_transition"],
} as const;

const named = (params: Record<string, string>) => ({
  id: params.plan_token ?? "",
  productId: params.reference_id ?? "",
});

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: endpoint(
    { ...nested, summary: "Change a plan of a product", body: PlanChange, response: PlanAnswer },
    ({ account, params, body, intent }) => updatePlan(account, { ...body, ...named(params) }, intent),
  ),
  DELETE: endpoint(
    { ...nested, summary: "Deactivate a plan of a product: it takes no new subscriber", response: RemovedPlan },
    ({ account, params, intent }) => deactivatePlan(account, named(params), intent),
  ),
});
