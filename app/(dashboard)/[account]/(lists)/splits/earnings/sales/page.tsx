import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { listQuery } from "@/components/list/source";
import { EarningSales } from "@/components/splits/earning-sales";
import { totals } from "@/components/splits/queries";
import { listEarnings, listTotals } from "@/lib/earnings/read";
import { EarningQuery } from "@/lib/earnings/schema";

export const generateMetadata = titled("splits", "salesTitle");

export default listPage({
  texts: ["splits", "earned", "methods"],
  scope: "splits:read",
  key: ["splits", "earnings"],
  path: "/api/partner/v1/earnings",
  query: { per_page: 25 },
  filters: EarningQuery,
  read: listEarnings,
  reads: (account) => [[listQuery(totals, account.id, {}), () => listTotals(account, { page: 1, ...totals.query })]],
  shows: EarningSales,
  curl: `curl $API/earnings -H "Authorization: Bearer $TOKEN"`,
});
