import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listRequests } from "@/lib/profile-requests/read";
import { ProfileRequestsQuery, ReviewedRequestPage } from "@/lib/profile-requests/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List what sellers ask to be changed of their profiles, the longest waiting first",
      tag: "Operator",
      auth: "staff",
      query: ProfileRequestsQuery,
      response: ReviewedRequestPage,
    },
    ({ query }) => listRequests(query),
  ),
});
