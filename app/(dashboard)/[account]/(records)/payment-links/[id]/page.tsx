import { listed } from "@/app/list-page";
import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { PaymentLinkDetail } from "@/components/payment-links/detail";
import { paymentLinkQuery, paymentsOf } from "@/components/payment-links/queries";
import { CursorQuery } from "@/lib/lists/pagination";
import { listPayments } from "@/lib/payment-links/payments";
import { readPaymentLink } from "@/lib/payment-links/read";

export const generateMetadata = titled("paymentLinks", "one");

export default recordPage({
  texts: ["paymentLinks", "wayBack", "sales", "status", "card", "methods", "timeline", "deliveries"],
  scope: "transactions:read",
  subject: "payment_link",
  reads: (account, id, address) => [
    [paymentLinkQuery(account.id, id), () => readPaymentLink(account, id)],
    listed(paymentsOf(id), account.id, address, CursorQuery, (query) => listPayments(account.id, id, query)),
  ],
  shows: PaymentLinkDetail,
});
