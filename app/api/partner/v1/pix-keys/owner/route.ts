import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readKeyOwner } from "@/lib/withdrawals/key-owner";
import { KeyOwner, KeyOwnerQuery } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Whose a Pix key is: the name and the masked document, within a budget of look-ups",
      tag: "Pix",
      scopes: ["withdrawals:write"],
      feature: "cash_out",
      query: KeyOwnerQuery,
      response: KeyOwner,
      errors: ["pix_key_not_found", "rail_not_configured", "rail_unavailable"],
    },
    ({ account, query }) => readKeyOwner(account, query),
  ),
});
