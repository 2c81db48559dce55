import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { Credentials } from "@/components/credentials/list";
import { credentialsQuery } from "@/components/credentials/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { listCredentials } from "@/lib/credentials/read";
import { env } from "@/lib/env";
import { getTranslations } from "@/lib/i18n";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("credentials"))("title") };
}

export default async function CredentialsPage({ params }: InAccount) {
  const { account } = await requireAccount(params, "credentials:read");
  const client = new QueryClient();
  await client.prefetchQuery({
    ...credentialsQuery(account.id),
    queryFn: () => listCredentials(account.id, { page: 1, per_page: 100 }),
  });
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/auth-token -H "Content-Type: application/json" -d '{"client_id": "…", "client_secret": "…"}'`;
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Credentials curl={curl} />
    </HydrationBoundary>
  );
}
