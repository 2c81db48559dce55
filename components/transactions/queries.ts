import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { TransactionDetail, TransactionListItem, TransactionPage } from "@/lib/transactions/schema";

export type SaleRow = TransactionListItem;
export type SaleStatus = TransactionListItem["status"];
export type TimelineItem = TransactionDetail["timeline"][number];
export type { TransactionDetail, TransactionPage };

/** What the list can be asked, as it stands in the page's address. */
export type SaleFilters = Partial<Record<"status" | "method" | "from" | "to" | "search" | "cursor", string>>;

export const filterNames = ["status", "method", "from", "to", "search", "cursor"] as const;
export const PER_PAGE = 25;

/** Filters out of an address; anything else in it is ignored, as are empty values. */
export function filtersOf(params: URLSearchParams): SaleFilters {
  return Object.fromEntries(filterNames.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])));
}

export const salesQuery = (account: string, filters: SaleFilters) =>
  queryOptions({
    queryKey: [account, "transactions", "list", filters],
    queryFn: ({ signal }) =>
      apiOf(account).get<TransactionPage>("/api/partner/v2/transactions", { ...filters, per_page: PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  });

export const detailQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [account, "transactions", "detail", id],
    queryFn: ({ signal }) =>
      apiOf(account).get<{ data: TransactionDetail }>(`/api/dashboard/v1/transactions/${id}`, {}, signal),
  });
