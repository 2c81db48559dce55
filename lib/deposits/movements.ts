import { inBatches } from "@/lib/concurrency/parallel";
import { runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import type { PixRail } from "@/lib/rails/pix/port";
import type { Receipt } from "@/lib/rails/pix/receipt";

/** Payments of one rail, and when the last of those that were read was paid, by the rail's clock. */
export type Movements = { provider: string; receipts: Receipt[]; readUntil: Date };

/**
 * Money that a Pix rail received between two instants of its clock and that neither completed a sale nor was recorded for the
 * operator, in batches, oldest first; a batch of which nothing is unknown comes too. Throws when the rail does not answer.
 */
export async function* unknownAt(
  { provider, receivedWithin }: Pick<PixRail, "provider" | "receivedWithin">,
  since: Date,
  until: Date,
): AsyncGenerator<Movements> {
  for await (const batch of inBatches(receivedWithin(since, until))) {
    const readUntil = new Date(Math.max(...batch.map(({ paidAt }) => paidAt.getTime())));
    yield { provider, receipts: await unknownOf(provider, batch), readUntil };
  }
}

async function unknownOf(provider: string, receipts: Receipt[]): Promise<Receipt[]> {
  const ids = receipts.map(({ endToEndId }) => endToEndId);
  const rows = await runPrepared<{ id: string }>("receipts_unknown", UNKNOWN, [provider, ids]);
  const unknown = new Set(rows.map(({ id }) => id));
  return receipts.filter(({ endToEndId }) => unknown.has(endToEndId));
}

/** Each is looked up by an index, however many are named. */
const UNKNOWN = `with ${SCOPE_OF_ALL}, named as materialized (
    select one from scope cross join unnest($2::text[]) as one offset 0
  )
  select one as id from named
  left join lateral (select true as is_known from transactions where end_to_end_id = one limit 1) t on true
  left join lateral (
    select true as is_known from unmatched_receipts where provider = $1 and end_to_end_id = one limit 1
  ) u on true
  where t.is_known is null and u.is_known is null`;
