import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { SaleDetail } from "@/components/transactions/detail";
import { detailQuery } from "@/components/transactions/queries";
import { readTransactionDetail } from "@/lib/dashboard/transaction";

export const generateMetadata = titled("sale", "title");

export default recordPage({
  texts: ["status", "card", "methods", "sale", "deposits", "refusals", "timeline", "deliveries"],
  scope: "transactions:read",
  subject: "transaction",
  reads: (account, id) => [
    [detailQuery(account.id, id), async () => ({ data: await readTransactionDetail(account, id) })],
  ],
  shows: SaleDetail,
});
