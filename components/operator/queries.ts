import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import { type ListPage, listQuery } from "@/components/list/query";
import type { AccountChangeBody, SellerAccount, SellerDetail } from "@/lib/accounts/schema";
import type { SellerMeta } from "@/lib/dashboard/schema";

export type { SellerAccount, SellerDetail, SellerMeta };
export type SellerStatus = SellerAccount["status"];
type SellerPage = ListPage<SellerAccount> & {
  meta: { total: number; total_is_exact: boolean; counts: Partial<Record<SellerStatus | "all", number>> };
};

type SellerAnswer = { data: SellerDetail; meta: SellerMeta };

const PATH = "/api/operator/v1/accounts";
/** The staff's calls name no account. */
const api = apiOf(null);
export const PER_PAGE = 25;

/** The key of all queries about sellers. */
export const SELLERS = [null, "sellers"];

export const sellers = listQuery({
  key: ["sellers", "list"],
  names: ["status", "search", "cursor"],
  read: (api: ReturnType<typeof apiOf<null>>, filters, signal) =>
    api.get<SellerPage>(PATH, { ...filters, per_page: PER_PAGE }, signal),
});

export const sellerQuery = (id: string) =>
  queryOptions({
    queryKey: [...SELLERS, "detail", id],
    queryFn: ({ signal }) => api.get<SellerAnswer>(`${PATH}/${id}`, {}, signal),
  });

export const changeSeller = (id: string, change: AccountChangeBody) =>
  api.patch<{ data: SellerAccount }>(`${PATH}/${id}`, change);
