import { simulateEnd } from "@/lib/disputes/simulate";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: let the payer take a dispute back",
      tag: "Sandbox",
      leavesNoEvent: "The simulated company decides, and its report has an event.",
      scopes: ["sandbox:write"],
      sandboxOnly: true,
      evenIfFull: true,
      response: Message,
      errors: ["dispute_not_found", "invalid_transition", "rail_unavailable"],
    },
    ({ account, params, intent }) => simulateEnd(account, { code: params.code ?? "", status: "cancelled" }, intent),
  ),
});
