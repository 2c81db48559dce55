import { staffReportPage } from "@/app/report-page";
import { titled } from "@/app/titled";
import { Providers } from "@/components/operator/providers";
import { healthQuery } from "@/components/operator/report-queries";
import { HealthQuery } from "@/lib/outside/schema";
import { readRails } from "@/lib/providers/health";

export const generateMetadata = titled("providers", "title");

export default staffReportPage({
  texts: ["reports", "providers"],
  filters: HealthQuery,
  query: healthQuery,
  read: readRails,
  shows: Providers,
});
