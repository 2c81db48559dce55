import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { giveUpWithdrawal } from "@/lib/withdrawals/give-up";
import { GiveUpBody, WithdrawalAnswer } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Give up a withdrawal that its rail does not know, and give its money back",
      tag: "Operator",
      auth: "staff",
      staffScope: "money:write",
      stepUp: true,
      acceptsKey: true,
      ids: { id: "withdrawal_not_found", withdrawal: "withdrawal_not_found" },
      body: GiveUpBody,
      response: WithdrawalAnswer,
      errors: ["withdrawal_not_found", "invalid_transition", "withdrawal_under_way", "rail_unavailable"],
    },
    ({ params, body, intent }) =>
      giveUpWithdrawal({ ...body, accountId: params.id ?? "", id: params.withdrawal ?? "" }, intent),
  ),
});
