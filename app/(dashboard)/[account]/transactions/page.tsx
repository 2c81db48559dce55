import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { Sales } from "@/components/transactions/list";
import { filtersOf, PER_PAGE, salesQuery } from "@/components/transactions/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { getTranslations } from "@/lib/i18n";
import { listTransactions } from "@/lib/transactions/read";
import { TransactionQuery } from "@/lib/transactions/schema";

type Props = InAccount & { searchParams: Promise<Record<string, string>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("sales"))("title") };
}

export default async function TransactionsPage({ params, searchParams }: Props) {
  const { account } = await requireAccount(params, "transactions:read");
  const filters = filtersOf(new URLSearchParams(await searchParams));
  const client = new QueryClient();
  await client.prefetchQuery({
    ...salesQuery(account.id, filters),
    queryFn: () => listTransactions(account, TransactionQuery.parse({ ...filters, per_page: PER_PAGE })),
  });
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/cash-in -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"amount": 10.00}'`;
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Sales curl={curl} />
    </HydrationBoundary>
  );
}
