import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listRefunds } from "@/lib/refunds/read";
import { RefundPage, RefundQuery } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List refunds, newest first",
      tag: "Refunds",
      scopes: ["refunds:read"],
      feature: "refunds",
      query: RefundQuery,
      response: RefundPage,
    },
    ({ account, query }) => listRefunds(account.id, query),
  ),
});
