import { PayBody, Simulated } from "@/lib/deposits/schema";
import { simulatePayment } from "@/lib/deposits/simulate";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: pay a Pix code",
      tag: "Sandbox",
      leavesNoEvent: "The simulated payer acts at the simulated PSP, whose report has an event.",
      scopes: ["sandbox:write"],
      sandboxOnly: true,
      evenIfFull: true,
      ids: { identifier: "transaction_not_found" },
      body: PayBody,
      response: Simulated,
      errors: ["invalid_transition", "rail_unavailable"],
    },
    ({ account, params, body, intent }) => simulatePayment(account, { ...body, id: params.identifier ?? "" }, intent),
  ),
});
