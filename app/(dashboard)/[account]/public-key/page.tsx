import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { PublicKeyPage } from "@/components/cards/public-key";
import { publicKeyQuery } from "@/components/cards/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { getTranslations } from "@/lib/i18n";
import { limits } from "@/lib/limits";
import { readPublicKey } from "@/lib/public-keys/public-key";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("publicKey"))("title") };
}

export default async function Page({ params }: InAccount) {
  const { account } = await requireAccount(params, "cards:read");
  const mayUseCards = account.features.includes("cards");
  const client = new QueryClient();
  if (mayUseCards) await client.prefetchQuery({ ...publicKeyQuery(account.id), queryFn: () => readPublicKey(account) });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <PublicKeyPage enabled={mayUseCards} apiUrl={env.APP_URL} mostDomains={limits.domains} />
    </HydrationBoundary>
  );
}
