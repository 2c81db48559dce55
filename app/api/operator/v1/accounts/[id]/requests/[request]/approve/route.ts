import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { approveRequest } from "@/lib/profile-requests/decide";
import { ProfileRequestAnswer } from "@/lib/profile-requests/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Approve what a seller asks to be changed of its profile",
      tag: "Operator",
      auth: "staff",
      staffScope: "accounts:write",
      acceptsKey: true,
      ids: { id: "profile_request_not_found", request: "profile_request_not_found" },
      response: ProfileRequestAnswer,
      errors: ["invalid_transition"],
    },
    ({ params, intent }) => approveRequest({ accountId: params.id ?? "", id: params.request ?? "" }, intent),
  ),
});
