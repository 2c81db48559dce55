import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Webhooks } from "@/components/webhooks/list";
import { webhooks } from "@/components/webhooks/queries";
import { listWebhooks } from "@/lib/webhooks/read";
import { WebhookQuery } from "@/lib/webhooks/schema";

export const generateMetadata = titled("webhooks", "title");

export default listPage({
  ...webhooks,
  texts: ["webhooks", "deliveries"],
  scope: "webhooks:read",
  filters: WebhookQuery,
  read: ({ id }, query) => listWebhooks(id, query),
  shows: Webhooks,
  curl: `curl -X POST $API/webhooks -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"title": "Loja", "url": "https://…", "event": "transaction"}'`,
});
