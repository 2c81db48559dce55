import { inParallel } from "@/lib/concurrency/parallel";
import { log } from "@/lib/log";
import type { Watched } from "@/lib/outside/watch";
import type { PixRail } from "@/lib/rails/pix/port";
import type { Receipt } from "@/lib/rails/pix/receipt";

/** Payments whose times are this close to each other are asked for in one question. */
const NEAR_MS = 1_000;
/** A window that holds more receipts is not read to its end: a rail has other clients, and we have other work. */
const MAX_IN_WINDOW = 1_000;
/** How many questions about one payment run at once, and for how long new ones begin. */
const AT_ONCE = 10;
const ASK_FOR_MS = 5_000;

/**
 * Asks a rail about payments: once for all that were paid at about the same time, and one by one for those that no
 * window had. Returns the receipts, by end-to-end id, of those that the rail knows and could answer about in time.
 */
export async function askRail(rail: Asks, payments: readonly Watched[]): Promise<Map<string, Receipt>> {
  const wanted = new Set(payments.map(({ id }) => id));
  const found = new Map<string, Receipt>();
  const failed = (error: unknown) => log.warn({ error, provider: rail.provider }, "a rail did not answer");
  await inParallel(windowsOf(payments), AT_ONCE, async ([since, until]) => {
    try {
      let read = 0;
      for await (const receipt of rail.receivedWithin(since, until)) {
        if (wanted.delete(receipt.endToEndId)) found.set(receipt.endToEndId, receipt);
        read += 1;
        if (wanted.size === 0 || read === MAX_IN_WINDOW) return;
      }
    } catch (error) {
      failed(error);
    }
  });
  const until = performance.now() + ASK_FOR_MS;
  await inParallel(wanted, AT_ONCE, async (endToEndId) => {
    if (performance.now() > until) return;
    const receipt = await rail.received(endToEndId).catch(failed);
    if (receipt) found.set(endToEndId, receipt);
  });
  return found;
}

type Asks = Pick<PixRail, "provider" | "received" | "receivedWithin">;
type Window = [since: Date, until: Date];

/** The windows in which several of these payments were paid, as far as their callbacks tell. */
function windowsOf(payments: readonly Watched[]): Window[] {
  const times = payments.flatMap(({ happenedAt }) => (happenedAt ? [happenedAt.getTime()] : [])).sort((a, b) => a - b);
  const groups: number[][] = [];
  for (const time of times) {
    const last = groups.at(-1);
    if (last && time - (last.at(-1) ?? 0) <= NEAR_MS) last.push(time);
    else groups.push([time]);
  }
  return groups
    .filter(({ length }) => length > 1)
    .map((group) => [new Date(Math.min(...group)), new Date(Math.max(...group) + 1)]); // a rail may count finer than ms
}
