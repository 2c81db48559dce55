import { z } from "zod";
import { time } from "@/lib/time/schema";

const Fault = z.object({
  fault: z.string(),
  accountId: z.string().optional(),
  id: z.string().optional(),
  detail: z.string(),
});

/** One comparison of all money: `faults` are the first of what it found; `failure` is why it could not be made. */
export const ReconcileRun = z.object({
  id: z.uuid(),
  started_at: time,
  ended_at: time,
  findings: z.int(),
  faults: z.array(Fault),
  failure: z.string().nullable(),
});
export type ReconcileRun = z.output<typeof ReconcileRun>;

/** GET /api/operator/v1/reconcile: the newest first. `next_at` is null while one is under way. */
export const ReconcileRuns = z.object({ data: z.array(ReconcileRun), meta: z.object({ next_at: time.nullable() }) });
export type ReconcileRuns = z.output<typeof ReconcileRuns>;
