import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Earnings } from "@/components/splits/earnings";
import { totals } from "@/components/splits/queries";
import { listTotals } from "@/lib/earnings/read";
import { PageQuery } from "@/lib/lists/pagination";

export const generateMetadata = titled("splits", "tabs.earnings");

export default listPage({
  ...totals,
  texts: ["splits", "earned"],
  scope: "splits:read",
  filters: PageQuery,
  read: listTotals,
  shows: Earnings,
  curl: `curl $API/earnings/months -H "Authorization: Bearer $TOKEN"`,
});
