import { Hydrated, type InRecord, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { filtersOf } from "@/components/list/address";
import { WebhookDetail } from "@/components/webhooks/detail";
import { DELIVERIES_PER_PAGE, deliveriesQuery, filterNames, webhooksQuery } from "@/components/webhooks/queries";
import { requireAccount } from "@/lib/auth/session";
import { listDeliveries, listWebhooks } from "@/lib/webhooks/read";
import { DeliveryQuery } from "@/lib/webhooks/schema";

export const generateMetadata = titled("webhooks", "one");

export default async function WebhookPage({ params, searchParams }: InRecord & Searched) {
  const { account } = await requireAccount(params, "webhooks:read");
  const id = Number((await params).id);
  const filters = filtersOf(new URLSearchParams(await searchParams), filterNames);
  const readDeliveries = async () =>
    listDeliveries(account.id, String(id), DeliveryQuery.parse({ ...filters, per_page: DELIVERIES_PER_PAGE }));
  return (
    <Hydrated
      reads={[
        [webhooksQuery(account.id), () => listWebhooks(account.id, { page: 1, per_page: 100 })],
        [deliveriesQuery(account.id, id, filters), readDeliveries],
      ]}
    >
      <WebhookDetail id={id} />
    </Hydrated>
  );
}
