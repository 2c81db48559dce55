import { staffReportPage } from "@/app/report-page";
import { titled } from "@/app/titled";
import { Providers } from "@/components/operator/providers";
import { healthQuery } from "@/components/operator/report-queries";
import { readHealth } from "@/lib/outside/health";
import { HealthQuery } from "@/lib/outside/schema";

export const generateMetadata = titled("reports", "providers.title");

export default staffReportPage({
  texts: ["reports"],
  filters: HealthQuery,
  query: healthQuery,
  read: readHealth,
  shows: Providers,
});
