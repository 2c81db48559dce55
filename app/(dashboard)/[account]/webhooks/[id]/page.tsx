import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { WebhookDetail } from "@/components/webhooks/detail";
import { DELIVERIES_PER_PAGE, deliveriesQuery } from "@/components/webhooks/queries";
import { requireAccount } from "@/lib/auth/session";
import { AppError } from "@/lib/errors";
import { getTranslations } from "@/lib/i18n";
import { listDeliveries, readWebhook } from "@/lib/webhooks/read";

type Props = { params: Promise<{ account: string; id: string }> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("webhooks"))("one") };
}

export default async function WebhookPage({ params }: Props) {
  const { account } = await requireAccount(params, "webhooks:read");
  const { id } = await params;
  const webhook = await readWebhook(account.id, id).catch(missing);
  const client = new QueryClient();
  await client.prefetchQuery({
    ...deliveriesQuery(account.id, webhook.id, { page: 1 }),
    queryFn: () => listDeliveries(account.id, id, { page: 1, per_page: DELIVERIES_PER_PAGE }),
  });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <WebhookDetail webhook={webhook} />
    </HydrationBoundary>
  );
}

function missing(error: unknown): never {
  if (error instanceof AppError && error.code === "webhook_not_found") notFound();
  throw error;
}
