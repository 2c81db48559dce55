import { endpoint, methods } from "@/lib/http/endpoint";
import { removeWebhook } from "@/lib/webhooks/remove";
import { RemovedWebhook, Webhook, WebhookChange } from "@/lib/webhooks/schema";
import { updateWebhook } from "@/lib/webhooks/update";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: endpoint(
    {
      summary: "Change a webhook; a disabled one is turned on again",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      evenIfFull: true,
      body: WebhookChange,
      response: Webhook,
      errors: ["webhook_not_found", "webhook_url_not_allowed"],
    },
    ({ account, params, body }) => updateWebhook(account, params.id ?? "", body),
  ),
  DELETE: endpoint(
    {
      summary: "Remove a webhook",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      response: RemovedWebhook,
      errors: ["webhook_not_found"],
    },
    ({ account, params }) => removeWebhook(account.id, params.id ?? ""),
  ),
});
