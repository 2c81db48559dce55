import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { removeWebhook } from "@/lib/webhooks/remove";
import { ChangedWebhook, RemovedWebhook, WebhookChange } from "@/lib/webhooks/schema";
import { updateWebhook } from "@/lib/webhooks/update";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: endpoint(
    {
      summary:
        "Change a webhook; a disabled one is turned on again, and an address of another origin gets a new secret, shown once",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      evenIfFull: true,
      body: WebhookChange,
      response: ChangedWebhook,
      errors: ["webhook_not_found", "webhook_url_not_allowed"],
    },
    ({ account, params, body }) => updateWebhook(account, { ...body, id: params.id ?? "" }),
  ),
  DELETE: endpoint(
    {
      summary: "Remove a webhook",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      response: RemovedWebhook,
      errors: ["webhook_not_found"],
    },
    ({ account, params }) => removeWebhook(account, { id: params.id ?? "" }),
  ),
});
