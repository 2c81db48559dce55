import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { SellersSale } from "@/lib/dashboard/schema";

export type { SellersSale };

/** The staff's calls name no account. */
export const api = apiOf(null);

/** The key of all queries about sellers' sales. */
export const SALES = [null, "transactions"];

export const sellersSaleQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [...SALES, "detail", account, id],
    queryFn: ({ signal }) =>
      api.get<{ data: SellersSale }>(`/api/operator/v1/accounts/${account}/transactions/${id}`, {}, signal),
  });
