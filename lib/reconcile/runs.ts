import { recordChange } from "@/lib/audit/record-change";
import { forAccount, prisma, queryOf } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readJob, runNow } from "@/lib/jobs/timetable";
import { PLATFORM } from "@/lib/ledger/chart";
import type { ReconcileRun, ReconcileRuns } from "@/lib/reconcile/schema";
import { iso } from "@/lib/time/clock";

/** The job of the timetable that compares all money. */
export const RECONCILE = "ledger.reconcile";

/** How many comparisons are shown. */
const SHOWN = 30;

/** The newest comparisons of all money, and when the next one is due. */
export async function listReconcileRuns(): Promise<ReconcileRuns> {
  const [runs, job] = await Promise.all([
    prisma().reconcileRun.findMany({ orderBy: { id: "desc" }, take: SHOWN }),
    readJob(RECONCILE),
  ]);
  return {
    data: runs.map(({ startedAt, endedAt, faults, ...run }) => ({
      ...{ ...run, started_at: iso(startedAt), ended_at: iso(endedAt) },
      faults: faults as ReconcileRun["faults"],
    })),
    meta: { next_at: job && !job.isClaimed ? iso(job.dueAt) : null },
  };
}

/** Lets a worker compare all money now. While one does, nothing more begins. */
export const reconcileNow = (): Promise<{ message: string }> =>
  forAccount(PLATFORM, async (tx) => {
    await runNow(queryOf(tx), RECONCILE);
    await recordChange(tx, { accountId: PLATFORM, subject: "reconcile", id: newId(), verb: "created" });
    return { message: "A conferência começa em instantes." };
  });
