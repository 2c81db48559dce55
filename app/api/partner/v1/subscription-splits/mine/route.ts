import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listReceived } from "@/lib/subscription-splits/read";
import { InvitePage, SplitQuery } from "@/lib/subscription-splits/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List received invites, newest first: without a status the accepted and the pending ones",
      tag: "Splits",
      scopes: ["splits:read"],
      query: SplitQuery,
      response: InvitePage,
    },
    ({ account, query }) => listReceived(account, query),
  ),
});
