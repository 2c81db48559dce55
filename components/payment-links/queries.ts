import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import { listQuery } from "@/components/list/query";
import type { LinkPaymentPage, PaymentLinkAnswer, PaymentLinkPage } from "@/lib/payment-links/schema";
import type { ProductPage } from "@/lib/products/schema";

/** The payment links of the account. */
export const paymentLinks = listQuery({
  key: ["payment-links", "list"],
  names: ["status", "search", "cursor"],
  read: (api, filters, signal) => api.get<PaymentLinkPage>("/api/partner/v1/payment-links", filters, signal),
});

export const paymentLinkQuery = (account: string, token: string) =>
  queryOptions({
    queryKey: [account, "payment-links", "one", token],
    queryFn: ({ signal }) =>
      apiOf(account).get<PaymentLinkAnswer>(`/api/partner/v1/payment-links/${token}`, {}, signal),
  });

/** The payments of a link. */
export const paymentsOf = (token: string) =>
  listQuery({
    key: ["payment-links", "payments", token],
    names: ["cursor"],
    read: (api, filters, signal) =>
      api.get<LinkPaymentPage>(`/api/partner/v1/payment-links/${token}/payments`, filters, signal),
  });

/** The products that a link can sell: the newest hundred that are not archived. */
export const sellableProducts = (account: string) =>
  queryOptions({
    queryKey: [account, "products", "sellable"],
    queryFn: ({ signal }) => apiOf(account).get<ProductPage>("/api/partner/v1/products", { per_page: "100" }, signal),
  });
