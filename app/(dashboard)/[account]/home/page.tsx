import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { Home } from "@/components/overview/home";
import { overviewQuery } from "@/components/overview/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readOverview } from "@/lib/dashboard/overview";
import { getTranslations } from "@/lib/i18n";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("home"))("title") };
}

export default async function HomePage({ params }: InAccount) {
  const { account } = await requireAccount(params, "balance:read");
  const client = new QueryClient();
  await client.prefetchQuery({
    ...overviewQuery(account.id),
    queryFn: async () => ({ data: await readOverview(account) }),
  });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Home />
    </HydrationBoundary>
  );
}
