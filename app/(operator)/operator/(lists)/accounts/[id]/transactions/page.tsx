import { notFound } from "next/navigation";
import type { Searched } from "@/app/hydrated";
import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { SellersSales } from "@/components/operator/sales";
import { requireStaff } from "@/lib/auth/session";
import { SellersSalesQuery } from "@/lib/dashboard/schema";
import { listSellersSales } from "@/lib/dashboard/sellers-sales";
import { isId } from "@/lib/ids";

export const generateMetadata = titled("sellersSales", "title");

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }> } & Searched) {
  const { id: userId } = await requireStaff();
  const { id } = await params;
  return isId(id) ? salesOf(userId, id)({ searchParams }) : notFound();
}

const salesOf = (userId: string, id: string) =>
  staffListPage({
    texts: ["sellersSales", "sales", "status", "card"],
    key: ["transactions", "list", id],
    path: `/api/operator/v1/accounts/${id}/transactions`,
    query: { per_page: 25 },
    filters: SellersSalesQuery,
    read: (query) => listSellersSales({ userId, accountId: id }, query),
    shows: SellersSales,
  });
