import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Withdrawals } from "@/components/withdrawals/list";
import { listWithdrawals } from "@/lib/withdrawals/read";
import { WithdrawalQuery } from "@/lib/withdrawals/schema";

export const generateMetadata = titled("withdrawals", "title");

export default listPage({
  texts: ["withdrawals"],
  scope: "withdrawals:read",
  feature: "cash_out",
  key: ["withdrawals", "list"],
  path: "/api/partner/v1/withdrawals",
  query: { per_page: 25 },
  filters: WithdrawalQuery,
  read: ({ id }, query) => listWithdrawals(id, query),
  shows: Withdrawals,
  curl: `curl -X POST $API/cash-out -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"amount": 150.00, "pix_key_type": "EMAIL", "pix_key": "ana@exemplo.com.br", "document": {"type": "CPF", "number": "52998224725"}}'`,
});
