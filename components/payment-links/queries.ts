import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ListSource } from "@/components/list/source";
import type { LinkPaymentPage, PaymentLinkAnswer } from "@/lib/payment-links/schema";

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
