import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { PageQuery } from "@/lib/lists/pagination";
import { createPlan } from "@/lib/plans/create";
import { listPlansOf } from "@/lib/plans/read";
import { PlanAnswer, PlanInput, PlanPage } from "@/lib/plans/schema";
import { inviteErrors, invitesTo } from "@/lib/subscription-splits/invite";

const nested = { tag: "Plans", feature: "recurring", ids: { reference_id: "product_not_found" } } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      ...nested,
      summary: "List a product's plans that are not archived, by their display order",
      scopes: ["plans:read"],
      query: PageQuery,
      response: PlanPage,
    },
    ({ account, params, query }) => listPlansOf(account.id, params.reference_id ?? "", query),
  ),
  POST: endpoint(
    {
      ...nested,
      summary: "Create a plan of a product; a default plan takes that place from the others",
      scopes: ["plans:write"],
      body: PlanInput,
      status: 201,
      response: PlanAnswer,
      errors: ["invalid_transition", "plan_limit_reached", ...inviteErrors],
    },
    ({ account, caller, params, body, intent }) =>
      createPlan(
        account,
        { ...body, productId: params.reference_id ?? "", share: invitesTo(account, caller, body.splits) },
        intent,
      ),
  ),
});
