import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { approvalErrors, approveWithdrawal } from "@/lib/withdrawals/decide";
import { WithdrawalAnswer } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Approve a withdrawal that somebody else asked for, which is then sent",
      tag: "Pix",
      scopes: ["withdrawals:write"],
      feature: "cash_out",
      ids: { id: "withdrawal_not_found" },
      stepUp: true,
      response: WithdrawalAnswer,
      errors: approvalErrors,
    },
    ({ account, caller, params, intent }) => approveWithdrawal(account, { id: params.id ?? "", by: caller }, intent),
  ),
});
