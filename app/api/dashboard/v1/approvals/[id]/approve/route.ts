import { approve } from "@/lib/approvals/decide";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { refundErrors } from "@/lib/refunds/request";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Approve what another person asked for, which then happens",
      tag: "Team",
      auth: "session",
      scopes: ["team:read"],
      stepUp: true,
      ids: { id: "approval_not_found" },
      response: Message,
      errors: [
        "approval_not_found",
        "own_request",
        "invalid_transition",
        ...refundErrors,
        "credential_not_found",
        "person_not_found",
        "last_owner",
      ],
    },
    ({ account, caller, params, intent }) => approve(account, { by: caller, id: params.id ?? "" }, intent),
  ),
});
