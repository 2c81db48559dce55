import { Hydrated, type InRecord, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { WebhookDetail } from "@/components/webhooks/detail";
import { DELIVERIES_PER_PAGE, deliveries, webhooks } from "@/components/webhooks/queries";
import { requireAccount } from "@/lib/auth/session";
import { listDeliveries, listWebhooks } from "@/lib/webhooks/read";
import { DeliveryQuery } from "@/lib/webhooks/schema";

export const generateMetadata = titled("webhooks", "one");

export default async function WebhookPage({ params, searchParams }: InRecord & Searched) {
  const { account } = await requireAccount(params, "webhooks:read");
  const id = Number((await params).id);
  const sent = deliveries(id);
  const filters = sent.filtersOf(await searchParams);
  const readDeliveries = async () =>
    listDeliveries(account.id, String(id), DeliveryQuery.parse({ ...filters, per_page: DELIVERIES_PER_PAGE }));
  return (
    <Hydrated
      reads={[
        [webhooks.of(account.id, {}), () => listWebhooks(account.id, { page: 1, per_page: 100 })],
        [sent.of(account.id, filters), readDeliveries],
      ]}
    >
      <WebhookDetail id={id} />
    </Hydrated>
  );
}
