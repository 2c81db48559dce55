import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { createPlan } from "@/lib/plans/create";
import { listPlans } from "@/lib/plans/read";
import { PlanAnswer, PlanInput, PlanPage, PlanQuery } from "@/lib/plans/schema";
import { inviteErrors, invitesTo } from "@/lib/subscription-splits/invite";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List plans, newest first; archived ones only by their status",
      tag: "Plans",
      scopes: ["plans:read"],
      feature: "recurring",
      query: PlanQuery,
      response: PlanPage,
    },
    ({ account, query }) => listPlans(account.id, query),
  ),
  POST: endpoint(
    {
      summary: "Create a plan without a product",
      tag: "Plans",
      scopes: ["plans:write"],
      feature: "recurring",
      body: PlanInput,
      status: 201,
      response: PlanAnswer,
      errors: ["plan_limit_reached", ...inviteErrors],
    },
    ({ account, caller, body, intent }) =>
      createPlan(account, { ...body, share: invitesTo(account, caller, body.splits) }, intent),
  ),
});
