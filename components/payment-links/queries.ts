import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ListSource } from "@/components/list/source";
import type { LinkPaymentPage, PaymentLinkAnswer } from "@/lib/payment-links/schema";
import type { ProductPage } from "@/lib/products/schema";

export const paymentLinkQuery = (account: string, token: string) =>
  queryOptions({
    queryKey: [account, "payment-links", "one", token],
    queryFn: ({ signal }) =>
      apiOf(account).get<PaymentLinkAnswer>(`/api/partner/v1/payment-links/${token}`, {}, signal),
  });

/** The payments of a link. */
export const paymentsOf = (token: string): ListSource<LinkPaymentPage, "cursor"> => ({
  key: ["payment-links", "payments", token],
  path: `/api/partner/v1/payment-links/${token}/payments`,
  filters: ["cursor"],
});

/** The products that a link can sell: the newest hundred that are not archived. */
export const sellableProducts = (account: string) =>
  queryOptions({
    queryKey: [account, "products", "sellable"],
    queryFn: ({ signal }) => apiOf(account).get<ProductPage>("/api/partner/v1/products", { per_page: "100" }, signal),
  });
