import { z } from "zod";
import { AccountChange, SellerAccount } from "@/lib/accounts/schema";
import { SellerMeta, SellerWithBalance } from "@/lib/dashboard/schema";
import { readSellerForStaff } from "@/lib/dashboard/seller";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { updateSeller } from "@/lib/sellers/update";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "One seller's account",
      tag: "Operator",
      auth: "staff",
      ids: { id: "account_not_found" },
      response: z.object({ data: SellerWithBalance, meta: SellerMeta }),
    },
    ({ params }) => readSellerForStaff(params.id ?? ""),
  ),
  PATCH: endpoint(
    {
      summary: "Approve or suspend a seller's account, or set its features, fees and limits",
      tag: "Operator",
      auth: "staff",
      staffScope: "accounts:write",
      ids: { id: "account_not_found" },
      body: AccountChange,
      response: z.object({ data: SellerAccount }),
      errors: ["invalid_transition", "terms_changed"],
    },
    ({ params, body }) => updateSeller({ ...body, id: params.id ?? "" }),
  ),
});
