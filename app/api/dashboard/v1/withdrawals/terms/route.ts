import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readWithdrawalTerms } from "@/lib/withdrawals/limits";
import { WithdrawalTerms } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What a withdrawal costs now, and what limits it",
      tag: "Dashboard",
      scopes: ["withdrawals:read"],
      feature: "cash_out",
      response: WithdrawalTerms,
    },
    ({ account }) => readWithdrawalTerms(account),
  ),
});
