import { z } from "zod";
import { staffReportPage } from "@/app/report-page";
import { titled } from "@/app/titled";
import { reconcileQuery } from "@/components/operator/report-queries";
import { Reconcile } from "@/components/operator/reconcile";
import { listReconcileRuns } from "@/lib/jobs/reconcile-now";

export const generateMetadata = titled("reports", "reconcile.title");

export default staffReportPage({
  texts: ["reports"],
  filters: z.object({}),
  query: reconcileQuery,
  read: () => listReconcileRuns(),
  shows: Reconcile,
});
