import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readWithdrawal } from "@/lib/withdrawals/read";
import { WithdrawalAnswer } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a withdrawal",
      tag: "Pix",
      scopes: ["withdrawals:read"],
      feature: "cash_out",
      ids: { id: "withdrawal_not_found" },
      response: WithdrawalAnswer,
      errors: ["withdrawal_not_found"],
    },
    ({ account, params }) => readWithdrawal(account.id, params.id ?? ""),
  ),
});
