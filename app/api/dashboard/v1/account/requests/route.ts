import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { requestChange } from "@/lib/profile-requests/request";
import { ProfileRequestAnswer, ProfileRequestBody } from "@/lib/profile-requests/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Ask the operator to change the name, the document or who represents the company",
      tag: "Account",
      auth: "session",
      scopes: ["account:write"],
      body: ProfileRequestBody,
      status: 201,
      response: ProfileRequestAnswer,
      errors: ["account_not_live", "profile_request_open"],
    },
    ({ account, body, intent }) => requestChange(account, body, intent),
  ),
});
