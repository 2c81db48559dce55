import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { ChangePlanBody, PlanChange } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Move a subscription to another plan",
      tag: "Subscriptions",
      scopes: ["subscriptions:write"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      body: ChangePlanBody,
      response: PlanChange,
      errors: [
        "plan_not_found",
        "plan_not_on_sale",
        "plan_mismatch",
        "proration_above_maximum",
        "open_charge_exists",
        "invalid_transition",
        "max_cashin_without_fee",
        "rail_unavailable",
        "deposit_pending",
        "deposit_not_made",
        "account_not_approved",
        "account_suspended",
      ],
    },
    ({ account, params, body, intent }) => changePlan(account, { ...body, id: params.token ?? "" }, intent),
  ),
});
