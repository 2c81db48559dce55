import { askFactorReset } from "@/lib/approvals/factor-reset";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Ask for the lost second factor of a seller's person to be removed",
      tag: "Operator",
      auth: "staff",
      staffScope: "accounts:write",
      stepUp: true,
      ids: { id: "account_not_found", person: "person_not_found" },
      response: Message,
      errors: ["person_not_found", "second_factor_missing", "invalid_transition"],
    },
    ({ params, caller }) =>
      askFactorReset({ accountId: params.id ?? "", id: params.person ?? "", userId: caller.userId }),
  ),
});
