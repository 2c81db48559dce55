import { z } from "zod";
import { readSeller } from "@/lib/accounts/list";
import { AccountChange, SellerAccount } from "@/lib/accounts/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { changeSeller } from "@/lib/sellers/change";

const response = z.object({ data: SellerAccount });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "One seller's account",
      tag: "Operator",
      auth: "staff",
      ids: { id: "account_not_found" },
      response,
    },
    async ({ params }) => ({ data: await readSeller(params.id ?? "") }),
  ),
  PATCH: endpoint(
    {
      summary: "Approve or suspend a seller's account, or say which features it has",
      tag: "Operator",
      auth: "staff",
      ids: { id: "account_not_found" },
      body: AccountChange,
      response,
      errors: ["invalid_transition"],
    },
    ({ params, body, caller }) => changeSeller(params.id ?? "", body, caller),
  ),
});
