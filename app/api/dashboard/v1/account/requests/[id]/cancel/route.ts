import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { cancelRequest } from "@/lib/profile-requests/cancel";
import { ProfileRequestAnswer } from "@/lib/profile-requests/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Take a request of a change back before it is decided",
      tag: "Account",
      auth: "session",
      scopes: ["account:write"],
      ids: { id: "profile_request_not_found" },
      response: ProfileRequestAnswer,
      errors: ["invalid_transition"],
    },
    ({ account, params, intent }) => cancelRequest(account, { id: params.id ?? "" }, intent),
  ),
});
