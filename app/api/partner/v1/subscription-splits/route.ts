import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listSent } from "@/lib/subscription-splits/read";
import { InvitePage, SplitQuery } from "@/lib/subscription-splits/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List the splits that the account has offered, newest first",
      tag: "Splits",
      scopes: ["splits:read"],
      query: SplitQuery,
      response: InvitePage,
    },
    ({ account, query }) => listSent(account, query),
  ),
});
