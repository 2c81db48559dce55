import { presentBalance } from "@/lib/accounts/read";
import { Balance } from "@/lib/accounts/schema";
import { endpoint, methods } from "@/lib/http/endpoint";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The account's balance",
      tag: "Account",
      scopes: ["balance:read"],
      brings: "balances",
      response: Balance,
    },
    async ({ caller }) => presentBalance(caller.balances),
  ),
});
