import { runPrepared } from "@/lib/db";
import { unknownAt, unknownMovements } from "@/lib/deposits/movements";
import { log } from "@/lib/log";
import { askAbout } from "@/lib/outside/watch";
import type { PixRail } from "@/lib/rails/pix/port";
import { everyRail } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

/** The callback of a payment this young may still be on its way. */
const YOUNG_MS = 20_000;
/** How often a rail is looked at, and how far before what has been seen: a rail may show a payment late. */
const LOOK_EVERY_MS = 60_000;
const OVERLAP_MS = 5 * 60_000;
/** How often a look reaches back as far as reconcile does, for what was seen and asked about without success. */
const LOOK_BACK_EVERY_MS = 3_600_000;
const LOOK_BACK_MS = 3 * DAY_MS;
/** How long a worker has a rail between two batches, so that another one looks soon if it dies. */
const CLAIM_MS = 8_000;

type Look = { provider: string; seenUntil: Date; isLongLook: boolean };

/**
 * Loop: replaces callbacks that never arrived. It looks at each rail once a minute and makes every payment due for
 * completion that completed no deposit. A look begins where the last one ended, by the times that the rail itself gave,
 * so it reaches back over any outage. Safe to run twice at once, and to be cut off anywhere. Returns whether more is due.
 */
export async function lookAtRails(): Promise<boolean> {
  const rails = new Map([...everyRail()].map((rail) => [rail.provider, rail]));
  for (const look of await runPrepared<Look>("rails_claim", CLAIM, [[...rails.keys()], CLAIM_MS])) {
    const rail = rails.get(look.provider);
    if (rail) await lookAt(rail, look).catch((error) => log.warn({ ...look, error }, "a rail could not be looked at"));
  }
  return false;
}

async function lookAt(rail: PixRail, { provider, seenUntil, isLongLook }: Look) {
  const since = new Date(seenUntil.getTime() - (isLongLook ? LOOK_BACK_MS : OVERLAP_MS));
  const until = new Date(realNow().getTime() - YOUNG_MS);
  for await (const { receipts, readUntil } of unknownAt(rail, since, until)) {
    await askAboutPayments(provider, receipts);
    await runPrepared("rails_seen", SEEN, [provider, readUntil, CLAIM_MS, null]);
  }
  await runPrepared("rails_seen", SEEN, [provider, null, LOOK_EVERY_MS, isLongLook ? LOOK_BACK_EVERY_MS : null]);
}

/** A rail that is not known yet is claimed as it is inserted. */
const CLAIM = `insert into rail_looks as l (provider, look_at)
  select provider, now() + $2 * interval '1 millisecond' from unnest($1::text[]) as rails(provider) order by provider
  on conflict (provider) do update set look_at = excluded.look_at where l.look_at <= now()
  returning provider, seen_until as "seenUntil", look_back_at <= now() as "isLongLook"`;

/** A rail whose clock is ahead moves nothing beyond the present, or what it reports later would seem to be seen. */
const SEEN = `update rail_looks set seen_until = greatest(seen_until, least($2::timestamptz, now())),
    look_at = now() + $3 * interval '1 millisecond',
    look_back_at = coalesce(now() + $4 * interval '1 millisecond', look_back_at)
  where provider = $1`;

/**
 * Makes every payment due for completion that the rails received in the last `withinMs` and that completed no deposit,
 * at once and whoever looks too. Returns how many.
 */
export async function pollRails(withinMs: number, youngMs = YOUNG_MS): Promise<number> {
  const now = realNow().getTime();
  let found = 0;
  for await (const { provider, receipts } of unknownMovements(new Date(now - withinMs), new Date(now - youngMs))) {
    await askAboutPayments(provider, receipts);
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
