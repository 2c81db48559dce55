import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { TestedWebhook, TestInput } from "@/lib/webhooks/schema";
import { sendTest } from "@/lib/webhooks/send-test";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Send a webhook an event that did not happen, and see what its receiver says",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      body: TestInput,
      response: TestedWebhook,
      acceptsKey: false,
      evenIfFull: true,
      leavesNoEvent: "nothing is changed",
      errors: ["webhook_not_found", "rate_limit_exceeded"],
    },
    ({ account, params, body }) => sendTest(account, { ...body, id: params.id ?? "" }),
  ),
});
