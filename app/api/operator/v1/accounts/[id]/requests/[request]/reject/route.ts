import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { rejectRequest } from "@/lib/profile-requests/decide";
import { ProfileRequestAnswer } from "@/lib/profile-requests/schema";
import { RefusalBody } from "@/lib/reviews/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Refuse what a seller asks to be changed of its profile, with a reason that the seller reads",
      tag: "Operator",
      auth: "staff",
      staffScope: "accounts:write",
      acceptsKey: true,
      ids: { id: "profile_request_not_found", request: "profile_request_not_found" },
      body: RefusalBody,
      response: ProfileRequestAnswer,
      errors: ["invalid_transition"],
    },
    ({ params, body, intent }) =>
      rejectRequest({ ...body, accountId: params.id ?? "", id: params.request ?? "" }, intent),
  ),
});
