import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { previewPlanChange } from "@/lib/subscriptions/change-plan";
import { PlanChangePreview, PlanChangeQuery } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "See what a change of plan would do",
      tag: "Subscriptions",
      leavesNoEvent: "It changes nothing.",
      scopes: ["subscriptions:read"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      query: PlanChangeQuery,
      response: PlanChangePreview,
      errors: [
        "plan_not_found",
        "plan_not_on_sale",
        "plan_mismatch",
        "proration_above_maximum",
        "open_charge_exists",
        "invalid_transition",
      ],
    },
    ({ account, params, query }) => previewPlanChange(account, params.token ?? "", query.new_plan_token),
  ),
});
