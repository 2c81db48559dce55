import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readPlan } from "@/lib/plans/read";
import { PlanAnswer, PlanChange, RemovedPlan } from "@/lib/plans/schema";
import { archivePlan, updatePlan } from "@/lib/plans/update";

const plan = { tag: "Plans", feature: "recurring", ids: { token: "plan_not_found" } } as const;
const changes = { ...plan, scopes: ["plans:write"], errors: ["plan_not_found", "invalid_transition"] } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint({ ...plan, summary: "A plan", scopes: ["plans:read"], response: PlanAnswer }, ({ account, params }) =>
    readPlan({ accountId: account.id, id: params.token ?? "" }),
  ),
  PUT: endpoint(
    { ...changes, summary: "Change a plan", body: PlanChange, response: PlanAnswer },
    ({ account, params, body, intent }) => updatePlan(account, { ...body, id: params.token ?? "" }, intent),
  ),
  DELETE: endpoint(
    { ...changes, summary: "Archive a plan: it takes no new subscriber ever again", response: RemovedPlan },
    ({ account, params, intent }) => archivePlan(account, { id: params.token ?? "" }, intent),
  ),
});
