import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Sales } from "@/components/transactions/list";
import { listTransactions } from "@/lib/transactions/list";
import { TransactionQuery } from "@/lib/transactions/schema";

export const generateMetadata = titled("sales", "title");

export default listPage({
  texts: ["sales", "status", "card", "methods"],
  scope: "transactions:read",
  key: ["transactions", "list"],
  path: "/api/partner/v2/transactions",
  query: { per_page: 25 },
  filters: TransactionQuery,
  read: listTransactions,
  shows: Sales,
  curl: `curl -X POST $API/cash-in -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"amount": 10.00}'`,
});
