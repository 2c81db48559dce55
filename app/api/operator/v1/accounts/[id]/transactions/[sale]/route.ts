import { z } from "zod";
import { SellersSale } from "@/lib/dashboard/schema";
import { readSellersSale } from "@/lib/dashboard/sellers-sales";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A seller's sale with its money, its refunds and what can be refunded",
      tag: "Operator",
      auth: "staff",
      ids: { id: "account_not_found", sale: "transaction_not_found" },
      response: z.object({ data: SellersSale }),
    },
    ({ params, caller }) => readSellersSale({ userId: caller.userId, accountId: params.id ?? "" }, params.sale ?? ""),
  ),
});
