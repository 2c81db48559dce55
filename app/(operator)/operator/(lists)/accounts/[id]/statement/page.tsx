import { notFound } from "next/navigation";
import type { Searched } from "@/app/hydrated";
import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { SellersStatement } from "@/components/operator/statement";
import { requireStaff } from "@/lib/auth/session";
import { readSellersStatement } from "@/lib/dashboard/sellers-statement";
import { isId } from "@/lib/ids";
import { StatementQuery } from "@/lib/statement/schema";

export const generateMetadata = titled("statement", "title");

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }> } & Searched) {
  const { id: userId } = await requireStaff();
  const { id } = await params;
  return isId(id) ? statementOf(userId, id)({ searchParams }) : notFound();
}

const statementOf = (userId: string, id: string) =>
  staffListPage({
    texts: ["statement"],
    key: ["statement", "list", id],
    path: `/api/operator/v1/accounts/${id}/statement`,
    query: { per_page: 25 },
    filters: StatementQuery,
    read: (query) => readSellersStatement({ userId, accountId: id }, query),
    shows: SellersStatement,
  });
