import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { createWebhook } from "@/lib/webhooks/create";
import { listWebhooks } from "@/lib/webhooks/read";
import { CreatedWebhook, WebhookInput, WebhookPage, WebhookQuery } from "@/lib/webhooks/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List webhooks, newest first",
      tag: "Webhooks",
      scopes: ["webhooks:read"],
      query: WebhookQuery,
      response: WebhookPage,
    },
    ({ account, query }) => listWebhooks(account.id, query),
  ),
  POST: endpoint(
    {
      summary: "Register a webhook; its signing secret is shown once",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      body: WebhookInput,
      status: 201,
      response: CreatedWebhook,
      showsSecret: true,
      errors: ["webhook_url_not_allowed", "webhook_limit_reached"],
    },
    ({ account, body, intent }) => createWebhook(account, body, intent),
  ),
});
