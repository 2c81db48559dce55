import type { Tx } from "@/lib/db";

/** Every job with its payload, which holds ids only, never a secret or a body. */
export type Jobs = {
  "deposits.complete": { provider: string; endToEndId: string };
  "webhooks.dispatch": { accountId: string; eventId: string };
  "simulator.notify": { endToEndId: string };
};

export type JobName = keyof Jobs;

/**
 * Writes a job to the outbox in the caller's transaction; the relay moves it into the queue within 100 ms after the
 * commit. Callers do not add to the queue itself, because its NOTIFY takes one lock of the whole database at commit.
 */
export async function enqueue<N extends JobName>(tx: Tx, name: N, payload: Jobs[N]) {
  await tx.outbox.create({ data: { name, payload } });
}
