import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ProductAnswer } from "@/lib/products/schema";

export const productQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [account, "products", "one", id],
    queryFn: ({ signal }) => apiOf(account).get<ProductAnswer>(`/api/partner/v1/products/${id}`, {}, signal),
  });
