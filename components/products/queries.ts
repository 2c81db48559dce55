import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ProductAnswer, ProductPage } from "@/lib/products/schema";

export const productQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [account, "products", "one", id],
    queryFn: ({ signal }) => apiOf(account).get<ProductAnswer>(`/api/partner/v1/products/${id}`, {}, signal),
  });

/** The products that are sold: the newest hundred that are not archived. */
export const sellableProducts = (account: string) =>
  queryOptions({
    queryKey: [account, "products", "sellable"],
    queryFn: ({ signal }) => apiOf(account).get<ProductPage>("/api/partner/v1/products", { per_page: "100" }, signal),
  });
