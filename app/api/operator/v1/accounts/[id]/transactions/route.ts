import { SellersSales, SellersSalesQuery } from "@/lib/dashboard/schema";
import { listSellersSales } from "@/lib/dashboard/sellers-sales";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List a seller's sales, newest first",
      tag: "Operator",
      auth: "staff",
      ids: { id: "account_not_found" },
      query: SellersSalesQuery,
      response: SellersSales,
    },
    ({ params, caller, query }) => listSellersSales({ userId: caller.userId, accountId: params.id ?? "" }, query),
  ),
});
