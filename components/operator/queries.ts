import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { AccountChange, SellerAccount } from "@/lib/accounts/schema";

export type { SellerAccount };
export type SellerStatus = SellerAccount["status"];
export type SellerPage = {
  data: SellerAccount[];
  meta: {
    total: number;
    current_page: number;
    last_page: number;
    counts: Partial<Record<SellerStatus | "all", number>>;
  };
};

const PATH = "/api/operator/v1/accounts";
/** The staff's calls name no account. */
const api = apiOf(null);
export const PER_PAGE = 25;

/** What the list can be asked, as it stands in the page's address. */
export type SellerFilters = Partial<Record<"status" | "search" | "page", string>>;

/** Filters out of an address; anything else in it is ignored, as are empty values. */
export const sellerFiltersOf = (params: URLSearchParams): SellerFilters =>
  Object.fromEntries(
    ["status", "search", "page"].flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])),
  );

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
