import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { decisionErrors, rejectWithdrawal } from "@/lib/withdrawals/decide";
import { WithdrawalAnswer } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Refuse a withdrawal that somebody else asked for",
      tag: "Pix",
      scopes: ["withdrawals:write"],
      feature: "cash_out",
      ids: { id: "withdrawal_not_found" },
      evenIfFull: true,
      response: WithdrawalAnswer,
      errors: decisionErrors,
    },
    ({ account, caller, params, intent }) => rejectWithdrawal(account, { id: params.id ?? "", by: caller }, intent),
  ),
});
