import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Webhooks } from "@/components/webhooks/list";
import { webhooks } from "@/components/webhooks/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { listWebhooks } from "@/lib/webhooks/read";

export const generateMetadata = titled("webhooks", "title");

export default async function WebhooksPage({ params }: InAccount) {
  const { account } = await requireAccount(params, "webhooks:read");
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/webhooks -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"title": "Loja", "url": "https://…", "event": "transaction"}'`;
  return (
    <Hydrated reads={[[webhooks.of(account.id, {}), () => listWebhooks(account.id, { page: 1, per_page: 100 })]]}>
      <Webhooks curl={curl} />
    </Hydrated>
  );
}
