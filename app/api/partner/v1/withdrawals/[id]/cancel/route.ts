import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { cancelWithdrawal } from "@/lib/withdrawals/decide";
import { WithdrawalAnswer } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Cancel a withdrawal that is not on its way yet",
      tag: "Pix",
      scopes: ["withdrawals:write"],
      feature: "cash_out",
      ids: { id: "withdrawal_not_found" },
      evenIfFull: true,
      response: WithdrawalAnswer,
      errors: ["withdrawal_not_found", "invalid_transition"],
    },
    ({ account, params, intent }) => cancelWithdrawal(account, { id: params.id ?? "" }, intent),
  ),
});
