import { approveFactorReset } from "@/lib/approvals/factor-reset";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Remove the second factor that another person of the staff asked to remove",
      tag: "Operator",
      auth: "staff",
      staffScope: "accounts:write",
      stepUp: true,
      ids: { id: "account_not_found", person: "person_not_found" },
      response: Message,
      errors: ["person_not_found", "approval_not_found", "own_request", "second_factor_missing"],
    },
    ({ params, caller }) =>
      approveFactorReset({ accountId: params.id ?? "", id: params.person ?? "", userId: caller.userId }),
  ),
});
