import { listed } from "@/app/list-page";
import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { refundsOfSale } from "@/components/refunds/queries";
import { SaleDetail } from "@/components/transactions/detail";
import { detailQuery } from "@/components/transactions/queries";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { listRefunds } from "@/lib/refunds/read";
import { RefundQuery } from "@/lib/refunds/schema";

export const generateMetadata = titled("sale", "title");

export default recordPage({
  texts: [
    "status",
    "card",
    "methods",
    "sale",
    "deposits",
    "simulation",
    "refunds",
    "refusals",
    "timeline",
    "deliveries",
  ],
  scope: "transactions:read",
  subject: "transaction",
  reads: (account, id) => [
    [detailQuery(account.id, id), async () => ({ data: await readTransactionDetail(account, id) })],
    ...(account.features.includes("refunds")
      ? [listed(refundsOfSale(id), account.id, {}, RefundQuery, (query) => listRefunds(account.id, query))]
      : []),
  ],
  shows: SaleDetail,
});
