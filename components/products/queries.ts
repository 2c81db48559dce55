import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import { listQuery } from "@/components/list/query";
import type { ProductAnswer, ProductPage } from "@/lib/products/schema";

/** The products of the account; without a status those that are not archived. */
export const products = listQuery({
  key: ["products", "list"],
  names: ["status", "cursor"],
  read: (api, filters, signal) => api.get<ProductPage>("/api/partner/v1/products", filters, signal),
});

export const productQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [account, "products", "one", id],
    queryFn: ({ signal }) => apiOf(account).get<ProductAnswer>(`/api/partner/v1/products/${id}`, {}, signal),
  });
