import { listed } from "@/app/list-page";
import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { WebhookDetail } from "@/components/webhooks/detail";
import { deliveries, replayQuery, webhooks } from "@/components/webhooks/queries";
import { listDeliveries, listWebhooks } from "@/lib/webhooks/read";
import { readReplay } from "@/lib/webhooks/replay";
import { DeliveryQuery, WebhookQuery } from "@/lib/webhooks/schema";

export const generateMetadata = titled("webhooks", "one");

export default recordPage({
  texts: ["webhooks", "deliveries", "timeline", "card"],
  scope: "webhooks:read",
  isId: (text) => /^\d+$/.test(text),
  subject: "webhook",
  reads: ({ id: account }, id, address) => [
    listed(webhooks, account, {}, WebhookQuery, (query) => listWebhooks(account, query)),
    listed(deliveries(id), account, address, DeliveryQuery, (query) => listDeliveries(account, id, query)),
    [replayQuery(account, id), () => readReplay(account, id)],
  ],
  shows: WebhookDetail,
});
