import { unknownAt } from "@/lib/deposits/movements";
import { lookAtEach } from "@/lib/outside/looks";
import { askAbout } from "@/lib/outside/watch";
import type { PixRail } from "@/lib/rails/pix/port";
import { everyRail } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { realNow } from "@/lib/time/clock";

/** The callback of a payment this young may still be on its way. */
const YOUNG_MS = 20_000;

/**
 * Loop: replaces callbacks that never arrived. It looks at each rail once a minute (`lookAtEach`) and makes every payment due
 * for completion that completed no deposit. Returns whether more is due.
 */
export async function lookAtRails(): Promise<boolean> {
  const rails = new Map([...everyRail()].map((rail) => [rail.provider, rail]));
  await lookAtEach([...rails.keys()], YOUNG_MS, async function* (provider, since, until) {
    for await (const { receipts, readUntil } of unknownAt(rails.get(provider) as PixRail, since, until)) {
      await askAboutPayments(provider, receipts);
      yield readUntil;
    }
  });
  return false;
}

/**
 * Makes every payment due for completion that a rail received in the last `withinMs` and that completed no deposit, at once
 * and whoever looks too. Returns how many.
 */
export async function pollRail(rail: PixRail, withinMs: number, youngMs = YOUNG_MS): Promise<number> {
  const now = realNow().getTime();
  let found = 0;
  for await (const { receipts } of unknownAt(rail, new Date(now - withinMs), new Date(now - youngMs))) {
    await askAboutPayments(rail.provider, receipts);
    found += receipts.length;
  }
  return found;
}

const askAboutPayments = (provider: string, receipts: readonly Receipt[]) =>
  askAbout(
    "payment",
    provider,
    receipts.map(({ endToEndId, paidAt }) => ({ id: endToEndId, happenedAt: paidAt })),
  );
