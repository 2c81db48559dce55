import { listDisputes } from "@/lib/disputes/read";
import { DisputePage, DisputeQuery } from "@/lib/disputes/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List disputes, newest first; open ones, of which only they are asked for, by their deadline",
      tag: "Disputes",
      scopes: ["disputes:read"],
      query: DisputeQuery,
      response: DisputePage,
    },
    ({ account, query }) => listDisputes(account.id, query),
  ),
});
