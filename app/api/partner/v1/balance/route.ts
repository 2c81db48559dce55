import { Balance } from "@/lib/accounts/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The account's balance",
      tag: "Account",
      scopes: ["balance:read"],
      brings: "balance",
      response: Balance,
    },
    async ({ caller }) => caller.balance,
  ),
});
