import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { Webhooks } from "@/components/webhooks/list";
import { webhooksQuery } from "@/components/webhooks/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { getTranslations } from "@/lib/i18n";
import { listWebhooks } from "@/lib/webhooks/read";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("webhooks"))("title") };
}

export default async function WebhooksPage({ params }: InAccount) {
  const { account } = await requireAccount(params, "webhooks:read");
  const client = new QueryClient();
  await client.prefetchQuery({
    ...webhooksQuery(account.id),
    queryFn: () => listWebhooks(account.id, { page: 1, per_page: 100 }),
  });
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/webhooks -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"title": "Loja", "url": "https://…", "event": "transaction"}'`;
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Webhooks curl={curl} />
    </HydrationBoundary>
  );
}
