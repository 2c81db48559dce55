import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Refunds } from "@/components/refunds/list";
import { listRefunds } from "@/lib/refunds/read";
import { RefundQuery } from "@/lib/refunds/schema";

export const generateMetadata = titled("refunds", "title");

export default listPage({
  texts: ["refunds"],
  scope: "refunds:read",
  feature: "refunds",
  key: ["refunds", "list"],
  path: "/api/partner/v1/refunds",
  query: { per_page: 25 },
  filters: RefundQuery,
  read: ({ id }, query) => listRefunds(id, query),
  shows: Refunds,
  curl: `curl -X POST $API/transaction/$ID/refund -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"reason": "buyer_withdrawal"}'`,
});
