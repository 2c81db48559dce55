import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { PaymentLinks } from "@/components/payment-links/list";
import { listPaymentLinks } from "@/lib/payment-links/read";
import { PaymentLinkQuery } from "@/lib/payment-links/schema";

export const generateMetadata = titled("paymentLinks", "title");

export default listPage({
  texts: ["paymentLinks", "wayBack"],
  scope: "transactions:read",
  key: ["payment-links", "list"],
  path: "/api/partner/v1/payment-links",
  filters: PaymentLinkQuery,
  read: listPaymentLinks,
  shows: PaymentLinks,
  curl: `curl -X POST $API/payment-links -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"amount": "49.90", "description": "Oficina"}'`,
});
