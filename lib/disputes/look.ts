import { inBatches } from "@/lib/concurrency/parallel";
import { IN_SCOPE, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { watchOf } from "@/lib/disputes/report";
import { log } from "@/lib/log";
import { askAbout } from "@/lib/outside/watch";
import { everyAcquirer } from "@/lib/rails/cards/acquirers";
import type { Disputes } from "@/lib/rails/disputes";
import { everyRail } from "@/lib/rails/pix/rails";
import type { TransactionMethod } from "@/prisma/client/enums";

/**
 * Replaces callbacks about new disputes that never arrived: lists what is open at each provider, and has what we do not know asked
 * about. What we know is watched until its end. Safe to run twice at once.
 */
export async function lookForDisputes(): Promise<void> {
  const failed = (provider: string) => (error: unknown) =>
    log.warn({ provider, error }, "a provider's disputes could not be listed");
  for (const { provider, disputes } of everyRail())
    if (disputes) await look("pix", provider, disputes).catch(failed(provider));
  for (const { provider, disputes } of everyAcquirer())
    if (disputes) await look("card", provider, disputes).catch(failed(provider));
}

async function look(method: TransactionMethod, provider: string, { listOpen }: Disputes): Promise<void> {
  for await (const batch of inBatches(listOpen())) {
    const ids = batch.map(({ id }) => id);
    const known = await runPrepared<{ id: string }>("disputes_known", KNOWN, [provider, method, ids]);
    const unknown = ids.filter((id) => !known.some((one) => one.id === id));
    await askAbout(
      watchOf(method),
      provider,
      unknown.map((id) => ({ id })),
    );
  }
}

const KNOWN = `with ${SCOPE_OF_ALL}
  select t.provider_id as id from scope cross join disputes t
  where ${IN_SCOPE} and t.provider_id = any($3::text[]) and t.provider = $1 and t.method = $2::"TransactionMethod"`;
