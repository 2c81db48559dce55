import { z } from "zod";
import { staffReportPage } from "@/app/report-page";
import { titled } from "@/app/titled";
import { jobsQuery } from "@/components/operator/report-queries";
import { Jobs } from "@/components/operator/jobs";
import { readWork } from "@/lib/jobs/read";

export const generateMetadata = titled("reports", "jobs.title");

export default staffReportPage({
  texts: ["reports"],
  filters: z.object({}),
  query: jobsQuery,
  read: () => readWork(),
  shows: Jobs,
});
