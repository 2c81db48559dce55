import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Filters } from "@/components/list/address";
import type { ListPage } from "@/components/list/body";
import type { AccountChange, SellerAccount } from "@/lib/accounts/schema";

export type { SellerAccount };
export type SellerStatus = SellerAccount["status"];
type SellerPage = ListPage<SellerAccount> & {
  meta: { counts: Partial<Record<SellerStatus | "all", number>> };
};

const PATH = "/api/operator/v1/accounts";
/** The staff's calls name no account. */
const api = apiOf(null);
export const PER_PAGE = 25;

export const filterNames = ["status", "search", "page"] as const;
type SellerFilters = Filters<(typeof filterNames)[number]>;

export const sellersQuery = (filters: SellerFilters) =>
  queryOptions({
    queryKey: ["sellers", "list", filters],
    queryFn: ({ signal }) => api.get<SellerPage>(PATH, { ...filters, per_page: PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  });

export const sellerQuery = (id: string) =>
  queryOptions({
    queryKey: ["sellers", "detail", id],
    queryFn: ({ signal }) => api.get<{ data: SellerAccount }>(`${PATH}/${id}`, {}, signal),
  });

export const changeSeller = (id: string, change: AccountChange) =>
  api.patch<{ data: SellerAccount }>(`${PATH}/${id}`, change);
