import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { SANDBOX_TEXT } from "@/lib/withdrawals/sandbox-text";
import { simulateWithdrawal } from "@/lib/withdrawals/simulate";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: let the simulated PSP not make a withdrawal",
      description: SANDBOX_TEXT,
      tag: "Sandbox",
      scopes: ["sandbox:write"],
      feature: "cash_out",
      sandboxOnly: true,
      evenIfFull: true,
      ids: { id: "withdrawal_not_found" },
      response: Message,
      errors: ["withdrawal_not_found", "invalid_transition", "rail_unavailable"],
    },
    ({ account, params, intent }) => simulateWithdrawal(account, { id: params.id ?? "", isPaid: false }, intent),
  ),
});
