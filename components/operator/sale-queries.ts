import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { SellersSale } from "@/lib/dashboard/schema";
import type { RefundBodySent } from "@/lib/refunds/schema";

export type { SellersSale };

/** The staff's calls name no account. */
const api = apiOf(null);
const pathOf = (account: string, id: string) => `/api/operator/v1/accounts/${account}/transactions/${id}` as const;

export const sellersSaleQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [null, "transactions", "detail", account, id],
    queryFn: ({ signal }) => api.get<{ data: SellersSale }>(pathOf(account, id), {}, signal),
  });

export const refundForSeller = (account: string, id: string, body: RefundBodySent) =>
  api.post<object>(`${pathOf(account, id)}/refund`, body);
