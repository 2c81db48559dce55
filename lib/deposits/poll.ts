import { statement } from "@/lib/db";
import { unknownMovements } from "@/lib/deposits/movements";
import { wake } from "@/lib/wake";

/** The callback of a payment this young may still be on its way. */
const YOUNG_MS = 20_000;

/**
 * Replaces callbacks that never arrived: makes every payment due for completion that the rails received in the last
 * `withinMs` and that completed no deposit. Returns how many. Safe to run twice at once.
 */
export async function pollRails(withinMs: number, youngMs = YOUNG_MS): Promise<number> {
  const now = Date.now();
  let found = 0;
  for await (const missed of unknownMovements(new Date(now - withinMs), new Date(now - youngMs))) {
    await statement("pix-callback-missed", MISSED, [
      JSON.stringify(missed.map(({ provider, receipt }) => ({ provider, end_to_end_id: receipt.endToEndId }))),
    ]);
    wake("callbacks");
    found += missed.length;
  }
  return found;
}

const MISSED = `insert into rail_callbacks (provider, event_id, end_to_end_id, payload, ask_at)
  select provider, 'poll:' || end_to_end_id, end_to_end_id, '{}', now()
  from json_to_recordset($1::json) as m(provider text, end_to_end_id text)
  on conflict (provider, event_id) do update set ask_at = coalesce(rail_callbacks.ask_at, now())`;
