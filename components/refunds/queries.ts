import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ListSource } from "@/components/list/source";
import type { RefundDetail, RefundPage } from "@/lib/refunds/schema";

export const refundQuery = (account: string, code: string) =>
  queryOptions({
    queryKey: [account, "refunds", "detail", code],
    queryFn: ({ signal }) =>
      apiOf(account).get<{ data: RefundDetail }>(`/api/dashboard/v1/refunds/${code}`, {}, signal),
  });

/** How many refunds a sale's page shows, the newest. */
const SHOWN = 5;

/** The newest refunds of a sale. */
export const refundsOfSale = (sale: string): ListSource<RefundPage, never> => ({
  key: ["refunds", "of-sale", sale],
  path: "/api/partner/v1/refunds",
  filters: [],
  query: { reference_id: sale, per_page: SHOWN },
});
