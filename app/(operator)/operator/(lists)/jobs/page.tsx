import { z } from "zod";
import { staffReportPage } from "@/app/report-page";
import { titled } from "@/app/titled";
import { Jobs } from "@/components/operator/jobs";
import { jobsQuery } from "@/components/operator/report-queries";
import { readWork } from "@/lib/work/read";

export const generateMetadata = titled("reports", "jobs.title");

export default staffReportPage({
  texts: ["reports"],
  filters: z.object({}),
  query: jobsQuery,
  read: () => readWork(),
  shows: Jobs,
});
