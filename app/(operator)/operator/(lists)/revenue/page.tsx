import { staffReportPage } from "@/app/report-page";
import { titled } from "@/app/titled";
import { revenueQuery } from "@/components/operator/report-queries";
import { RevenuePage } from "@/components/operator/revenue";
import { readRevenue } from "@/lib/revenue/read";
import { RevenueQuery } from "@/lib/revenue/schema";

export const generateMetadata = titled("reports", "revenue.title");

export default staffReportPage({
  texts: ["reports", "timeline"],
  filters: RevenueQuery,
  query: revenueQuery,
  read: readRevenue,
  shows: RevenuePage,
});
