import { OpenBody } from "@/lib/disputes/schema";
import { simulateDispute } from "@/lib/disputes/simulate";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: dispute a paid Pix (MED), as its payer does",
      tag: "Sandbox",
      leavesNoEvent: "The payer acts at the simulated company, whose report has an event.",
      scopes: ["sandbox:write"],
      sandboxOnly: true,
      evenIfFull: true,
      ids: { identifier: "transaction_not_found" },
      body: OpenBody,
      response: Message,
      errors: ["invalid_transition", "rail_unavailable"],
    },
    ({ account, params, body, intent }) =>
      simulateDispute(account, { ...body, id: params.identifier ?? "", method: "pix" }, intent),
  ),
});
