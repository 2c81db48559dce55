import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { enroll, enrollErrors } from "@/lib/subscriptions/enroll";
import { EnrollBody, Enrolled } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Enrol a person in a plan",
      tag: "Subscriptions",
      scopes: ["subscriptions:write"],
      ids: { token: "plan_not_found" },
      body: EnrollBody,
      response: Enrolled,
      errors: enrollErrors,
    },
    ({ account, params, body, intent }) => enroll(account, { ...body, planId: params.token ?? "" }, intent),
  ),
});
