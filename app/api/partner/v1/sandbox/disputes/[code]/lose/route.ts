import { LoseBody } from "@/lib/disputes/schema";
import { simulateEnd } from "@/lib/disputes/simulate";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: let the provider decide a dispute for the payer, whole or in part",
      tag: "Sandbox",
      leavesNoEvent: "The simulated company decides, and its report has an event.",
      scopes: ["sandbox:write"],
      sandboxOnly: true,
      evenIfFull: true,
      body: LoseBody,
      response: Message,
      errors: ["dispute_not_found", "invalid_transition", "rail_unavailable"],
    },
    ({ account, params, body, intent }) =>
      simulateEnd(account, { ...body, code: params.code ?? "", status: "lost" }, intent),
  ),
});
