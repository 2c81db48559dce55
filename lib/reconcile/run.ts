import { runPrepared } from "@/lib/db";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { type Fault, reconcile } from "@/lib/reconcile/reconcile";
import { realNow } from "@/lib/time/clock";

/** Of how many faults the words are kept; their number is always. */
const KEPT = 50;

type Options = Parameters<typeof reconcile>[0];
type Outcome = { faults: Fault[]; failure?: unknown };

/**
 * Compares all money and keeps what was found, also that it could not be compared. Each fault is logged too. Throws as
 * `reconcile` does.
 */
export async function runReconcile(options?: Options): Promise<void> {
  const startedAt = realNow();
  const { faults, failure }: Outcome = await reconcile(options).then(
    (faults) => ({ faults }),
    (failure) => ({ faults: [], failure }),
  );
  for (const fault of faults) log.error({ fault }, "reconcile found a fault");
  const why =
    failure === undefined ? null : (failure instanceof Error ? failure.message : String(failure)).slice(0, 300);
  const values = [newId(), startedAt, faults.length, JSON.stringify(faults.slice(0, KEPT)), why];
  await runPrepared("reconcile_run", INSERT, values);
  if (failure !== undefined) throw failure;
}

const INSERT = `insert into reconcile_runs (id, started_at, ended_at, findings, faults, failure)
  values ($1::uuid, $2, now(), $3, $4::jsonb, $5)`;
