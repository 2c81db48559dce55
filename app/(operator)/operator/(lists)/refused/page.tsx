import { staffReportPage } from "@/app/report-page";
import { titled } from "@/app/titled";
import { RefusedCharges } from "@/components/operator/refused";
import { refusedQuery } from "@/components/operator/report-queries";
import { readRefused } from "@/lib/refusals/read";
import { RefusedQuery } from "@/lib/refusals/schema";

export const generateMetadata = titled("reports", "refused.title");

export default staffReportPage({
  texts: ["reports"],
  filters: RefusedQuery,
  query: refusedQuery,
  read: readRefused,
  shows: RefusedCharges,
});
