import { reject } from "@/lib/approvals/decide";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Reject what another person asked for",
      tag: "Team",
      auth: "session",
      scopes: ["team:read"],
      stepUp: true,
      ids: { id: "approval_not_found" },
      response: Message,
      errors: ["approval_not_found", "own_request", "invalid_transition"],
    },
    ({ account, caller, params, intent }) => reject(account, { by: caller, id: params.id ?? "" }, intent),
  ),
});
