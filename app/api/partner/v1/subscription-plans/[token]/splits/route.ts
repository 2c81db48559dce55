import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { InviteInput } from "@/lib/splits/schema";
import { inviteErrors, inviteToPlan } from "@/lib/subscription-splits/invite";
import { listSplitsOf } from "@/lib/subscription-splits/read";
import { InviteAnswer, InvitePage, SplitQuery } from "@/lib/subscription-splits/schema";

const splits = { tag: "Splits", ids: { token: "plan_not_found" } } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      ...splits,
      summary: "List the splits of a plan, newest first",
      scopes: ["splits:read"],
      query: SplitQuery,
      response: InvitePage,
      errors: ["plan_not_found"],
    },
    ({ account, params, query }) => listSplitsOf(account, params.token ?? "", query),
  ),
  POST: endpoint(
    {
      ...splits,
      summary: "Invite a recipient, by e-mail, to a part of each sale of a plan",
      scopes: ["splits:write"],
      feature: "recurring",
      body: InviteInput,
      status: 201,
      response: InviteAnswer,
      errors: [...inviteErrors, "plan_not_found", "invalid_transition"],
    },
    ({ account, params, body, intent }) => inviteToPlan(account, { ...body, planId: params.token ?? "" }, intent),
  ),
});
