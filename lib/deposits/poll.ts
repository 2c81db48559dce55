import { unknownMovements } from "@/lib/deposits/movements";
import { askAbout } from "@/lib/rails/pix/inbox";

/** The callback of a payment this young may still be on its way. */
const YOUNG_MS = 20_000;

/**
 * Replaces callbacks that never arrived: makes every payment due for completion that the rails received in the last
 * `withinMs` and that completed no deposit. Returns how many. Safe to run twice at once.
 */
export async function pollRails(withinMs: number, youngMs = YOUNG_MS): Promise<number> {
  const now = Date.now();
  let found = 0;
  for await (const { provider, receipts } of unknownMovements(new Date(now - withinMs), new Date(now - youngMs))) {
    await askAbout(provider, receipts);
    found += receipts.length;
  }
  return found;
}
