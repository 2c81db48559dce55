import { z } from "zod";
import { staffReportPage } from "@/app/report-page";
import { titled } from "@/app/titled";
import { Reconcile } from "@/components/operator/reconcile";
import { reconcileQuery } from "@/components/operator/report-queries";
import { listReconcileRuns } from "@/lib/reconcile/runs";

export const generateMetadata = titled("reports", "reconcile.title");

export default staffReportPage({
  texts: ["reports"],
  filters: z.object({}),
  query: reconcileQuery,
  read: () => listReconcileRuns(),
  shows: Reconcile,
});
