import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { simulateMandate } from "@/lib/sandbox/mandate";
import { MandateAction } from "@/lib/sandbox/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: play the payer of a subscription's mandate (Pix Automático)",
      tag: "Sandbox",
      leavesNoEvent: "The simulated payer acts at the simulated PSP, whose report has an event.",
      scopes: ["sandbox:write"],
      sandboxOnly: true,
      evenIfFull: true,
      acceptsKey: false,
      ids: { token: "subscription_not_found" },
      body: MandateAction,
      response: Message,
      errors: ["invalid_transition", "rail_unavailable"],
    },
    ({ account, params, body }) => simulateMandate(account, { ...body, id: params.token ?? "" }),
  ),
});
