import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Seller } from "@/components/operator/detail";
import { sellerQuery } from "@/components/operator/queries";
import { readSeller } from "@/lib/accounts/list";
import { requireStaff } from "@/lib/auth/session";
import { AppError } from "@/lib/errors";
import { getTranslations } from "@/lib/i18n";
import { isId } from "@/lib/ids";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("operator"))("account") };
}

export default async function AccountPage({ params }: Props) {
  await requireStaff();
  const { id } = await params;
  if (!isId(id)) notFound();
  const client = new QueryClient();
  const read = async () => ({ data: await readSeller(id) });
  await client.fetchQuery({ ...sellerQuery(id), queryFn: read }).catch(missing);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Seller id={id} />
    </HydrationBoundary>
  );
}

/** What is not there has a page that says so; any other failure is left to the browser's own attempt. */
function missing(error: unknown) {
  if (error instanceof AppError && error.code === "account_not_found") notFound();
}
