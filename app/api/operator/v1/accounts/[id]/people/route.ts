import { readSellersPeople } from "@/lib/approvals/factor-reset";
import { SellersPeople } from "@/lib/approvals/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The people of a seller's team",
      tag: "Operator",
      auth: "staff",
      ids: { id: "account_not_found" },
      response: SellersPeople,
    },
    ({ params, caller }) => readSellersPeople({ accountId: params.id ?? "", userId: caller.userId }),
  ),
});
