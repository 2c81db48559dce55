import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { simulateRefund } from "@/lib/refunds/simulate";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: let the simulated PSP fail to pay a refund back",
      tag: "Sandbox",
      scopes: ["sandbox:write"],
      feature: "refunds",
      sandboxOnly: true,
      evenIfFull: true,
      response: Message,
      errors: ["refund_not_found", "invalid_transition", "rail_not_configured", "rail_unavailable"],
    },
    ({ account, params, intent }) => simulateRefund(account, { code: params.code ?? "", isCompleted: false }, intent),
  ),
});
