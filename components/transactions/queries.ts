import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Filters } from "@/components/list/address";
import type { TransactionDetail, TransactionListItem, TransactionPage } from "@/lib/transactions/schema";

export type SaleRow = TransactionListItem;
export type SaleStatus = TransactionListItem["status"];
export type TimelineItem = TransactionDetail["timeline"][number];
export type { TransactionDetail, TransactionPage };

export const filterNames = ["status", "method", "from", "to", "search", "cursor"] as const;
type SaleFilters = Filters<(typeof filterNames)[number]>;
export const PER_PAGE = 25;

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
      apiOf(account).get<{ data: TransactionDetail }>(`/api/partner/v1/transactions/${id}/detail`, {}, signal),
  });
