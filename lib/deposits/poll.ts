import { paymentWatch } from "@/lib/deposits/complete";
import { unknownAt } from "@/lib/deposits/movements";
import { lookAtEach } from "@/lib/outside/looks";
import { askAbout, CLAIM_LIMIT } from "@/lib/outside/watch";
import type { PixRail } from "@/lib/rails/pix/port";
import { everyRail } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { realNow } from "@/lib/time/clock";

/** The callback of a payment this young may still be on its way. */
const YOUNG_MS = 20_000;

/**
 * Loop: replaces callbacks that never arrived. It looks at each rail once a minute (`lookAtEach`) and completes what every
 * payment pays that completed no deposit. Returns whether more is due.
 */
export async function lookAtRails(): Promise<boolean> {
  const rails = new Map([...everyRail()].map((rail) => [rail.provider, rail]));
  await lookAtEach([...rails.keys()], YOUNG_MS, async function* (provider, since, until) {
    for await (const { receipts, readUntil } of unknownAt(rails.get(provider) as PixRail, since, until)) {
      await completeListed(provider, receipts);
      yield readUntil;
    }
  });
  return false;
}

/**
 * Completes what every payment pays that a rail received in the last `withinMs` and that completed no deposit, at once
 * and whoever looks too. Returns how many there were.
 */
export async function pollRail(rail: PixRail, withinMs: number, youngMs = YOUNG_MS): Promise<number> {
  const now = realNow().getTime();
  let found = 0;
  for await (const { receipts } of unknownAt(rail, new Date(now - withinMs), new Date(now - youngMs))) {
    await completeListed(rail.provider, receipts);
    found += receipts.length;
  }
  return found;
}

/**
 * A rail's list is its own record, so what stands in it is not asked about again: no crowd of other questions, such as about
 * payments that callbacks made up, keeps it waiting. What pays nothing yet is asked about later.
 */
async function completeListed(provider: string, receipts: readonly Receipt[]): Promise<void> {
  for (let at = 0; at < receipts.length; at += CLAIM_LIMIT) {
    const some = receipts.slice(at, at + CLAIM_LIMIT);
    const over = await paymentWatch.write(provider, new Map(some.map((receipt) => [receipt.endToEndId, receipt])));
    const left = some.filter(({ endToEndId }) => !over.has(endToEndId));
    await askAbout(
      paymentWatch.name,
      provider,
      left.map(({ endToEndId, paidAt }) => ({ id: endToEndId, happenedAt: paidAt })),
    );
  }
}
