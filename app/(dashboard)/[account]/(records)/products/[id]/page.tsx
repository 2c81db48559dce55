import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { PLANS_SHOWN, plansOf } from "@/components/plans/queries";
import { ProductDetail } from "@/components/products/detail";
import { productQuery } from "@/components/products/queries";
import { listPlansOf } from "@/lib/plans/read";
import { readProduct } from "@/lib/products/read";

export const generateMetadata = titled("products", "one");

export default recordPage({
  texts: ["products", "wayBack", "plans", "splits", "timeline", "deliveries", "card"],
  scope: "plans:read",
  feature: "recurring",
  subject: "product",
  reads: ({ id: account }, id) => [
    [productQuery(account, id), () => readProduct(account, id)],
    [plansOf(account, id), () => listPlansOf(account, id, { page: 1, per_page: PLANS_SHOWN })],
  ],
  shows: ProductDetail,
  curl: `curl -X POST $API/products/$ID/subscription-plans -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"name": "Mensal", "amount": "49.90", "billing_method": "qr_code"}'`,
});
