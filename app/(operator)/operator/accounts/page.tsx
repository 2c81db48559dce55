import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { Sellers } from "@/components/operator/list";
import { PER_PAGE, sellerFiltersOf, sellersQuery } from "@/components/operator/queries";
import { listAccounts } from "@/lib/accounts/list";
import { AccountsQuery } from "@/lib/accounts/schema";
import { requireStaff } from "@/lib/auth/session";
import { getTranslations } from "@/lib/i18n";

type Props = { searchParams: Promise<Record<string, string>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("operator"))("accounts") };
}

export default async function AccountsPage({ searchParams }: Props) {
  await requireStaff();
  const filters = sellerFiltersOf(new URLSearchParams(await searchParams));
  const client = new QueryClient();
  await client.prefetchQuery({
    ...sellersQuery(filters),
    queryFn: () => listAccounts(AccountsQuery.parse({ ...filters, per_page: PER_PAGE })),
  });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Sellers />
    </HydrationBoundary>
  );
}
