import { asSystem } from "@/lib/db";
import { unknownMovements } from "@/lib/deposits/movements";
import { enqueue } from "@/lib/jobs/enqueue";

/** The callback of a payment this young may still be on its way. */
const YOUNG_MS = 20_000;

/**
 * Replaces callbacks that never arrived: enqueues the `deposits.complete` job of every payment that the rails received
 * in the last `withinMs` and that completed no deposit. Returns how many. Safe to run twice at once, because that job
 * is.
 */
export async function pollRails(withinMs: number, youngMs = YOUNG_MS): Promise<number> {
  const now = Date.now();
  let enqueued = 0;
  for await (const missed of unknownMovements(new Date(now - withinMs), new Date(now - youngMs))) {
    await asSystem(async (tx) => {
      for (const { provider, receipt } of missed) {
        await enqueue(tx, "deposits.complete", { provider, endToEndId: receipt.endToEndId });
      }
    });
    enqueued += missed.length;
  }
  return enqueued;
}
