import { setTimeout as sleep } from "node:timers/promises";
import { repeat } from "@/lib/concurrency/repeat";
import { runPrepared } from "@/lib/db";
import { log } from "@/lib/log";
import { realNow } from "@/lib/time/clock";

/** How often a provider is looked at, and how far before what has been seen: it may show a record late. */
const LOOK_EVERY_MS = 60_000;
const OVERLAP_MS = 5 * 60_000;
/** How often a look reaches back as far as reconcile does, for what was seen and asked about without success. */
const LOOK_BACK_EVERY_MS = 3_600_000;
const LOOK_BACK_MS = 3 * 86_400_000;
/** How long a worker has a provider that it does not claim anew, so that another one looks soon if it dies. */
const CLAIM_MS = 8_000;
const RENEW_EVERY_MS = 3_000;
/** After which time a look goes on by itself, so that a slow provider, or one with much to read, keeps no other waiting. */
const PATIENCE_MS = 10_000;

type Due = { name: string; seenUntil: Date; isLongLook: boolean };

/** Reads what a provider recorded between two instants of its clock. It yields how far it has read after each batch. */
type Look = (name: string, since: Date, until: Date) => AsyncIterable<Date>;

/**
 * Looks at the records of providers once a minute each, by the name under which it is kept how far they were seen. A look begins
 * where the last one ended, by the times that the provider itself gave, so it reaches back over any outage; what is younger than
 * `youngMs` is left to its callback. While one reaches back for long, what is new is still read once a minute. Safe to run
 * twice at once, and to be cut off anywhere.
 */
export async function lookAtEach(
  names: readonly string[],
  youngMs: number,
  look: Look,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const claimed = await runPrepared<Due>("looks_claim", CLAIM, [names, CLAIM_MS]);
  const failed = (due: Due) => (error: unknown) => log.warn({ ...due, error }, "a rail could not be looked at");
  const looks = Promise.all(claimed.map((due) => lookAt(due, youngMs, look).catch(failed(due))));
  await Promise.race([looks, sleep(patienceMs, undefined, { ref: false })]);
}

async function lookAt({ name, seenUntil, isLongLook }: Due, youngMs: number, look: Look): Promise<void> {
  const begun = seenUntil.getTime();
  let seen = begun;
  const read = async function* (since: number, until: number) {
    for await (const readUntil of look(name, new Date(since), new Date(until))) {
      await runPrepared("looks_seen", SEEN, [name, readUntil, CLAIM_MS, null]);
      yield readUntil.getTime();
    }
  };
  async function readNew() {
    const now = realNow().getTime();
    for await (const readUntil of read(seen - OVERLAP_MS, now - youngMs)) {
      seen = Math.max(seen, Math.min(readUntil, now));
    }
    return performance.now();
  }
  // A page of a list may have to wait for its turn.
  const renew = () => runPrepared("looks_renew", RENEW, [name, CLAIM_MS]);
  const stop = repeat(RENEW_EVERY_MS, renew, (error) => log.debug({ name, error }, "a claim was not renewed"));
  try {
    let readAt = await readNew();
    // Many pages may lie further back, and what is new waits for none of them.
    for await (const _ of isLongLook ? read(begun - LOOK_BACK_MS, begun - OVERLAP_MS) : [])
      if (performance.now() - readAt >= LOOK_EVERY_MS) readAt = await readNew();
  } finally {
    await stop();
  }
  await runPrepared("looks_seen", SEEN, [name, null, LOOK_EVERY_MS, isLongLook ? LOOK_BACK_EVERY_MS : null]);
}

/** A name that is not known yet is claimed as it is inserted. */
const CLAIM = `insert into rail_looks as l (provider, look_at)
  select provider, now() + $2 * interval '1 millisecond' from unnest($1::text[]) as rails(provider) order by provider
  on conflict (provider) do update set look_at = excluded.look_at where l.look_at <= now()
  returning provider as name, seen_until as "seenUntil", look_back_at <= now() as "isLongLook"`;

const RENEW = `update rail_looks set look_at = greatest(look_at, now() + $2 * interval '1 millisecond') where provider = $1`;

/** Whatever is recorded here, the rail has answered. One whose clock is ahead moves nothing beyond the present, or what it reports later would seem to be seen. */
const SEEN = `update rail_looks set seen_until = greatest(seen_until, least($2::timestamptz, now())),
    look_at = now() + $3 * interval '1 millisecond',
    look_back_at = coalesce(now() + $4 * interval '1 millisecond', look_back_at), looked_at = now()
  where provider = $1`;
