import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SaleDetail } from "@/components/transactions/detail";
import { detailQuery } from "@/components/transactions/queries";
import { requireAccount } from "@/lib/auth/session";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { AppError } from "@/lib/errors";
import { getTranslations } from "@/lib/i18n";
import { isId } from "@/lib/ids";

type Props = { params: Promise<{ account: string; id: string }> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("sale"))("title") };
}

export default async function TransactionPage({ params }: Props) {
  const { account } = await requireAccount(params, "transactions:read");
  const { id } = await params;
  const client = new QueryClient();
  if (!isId(id)) notFound();
  const read = async () => ({ data: await readTransactionDetail(account, id) });
  await client.fetchQuery({ ...detailQuery(account.id, id), queryFn: read }).catch(missing);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <SaleDetail id={id} />
    </HydrationBoundary>
  );
}

/** What is not there has a page that says so; any other failure is left to the browser's own attempt. */
function missing(error: unknown) {
  if (error instanceof AppError && error.code === "transaction_not_found") notFound();
}
