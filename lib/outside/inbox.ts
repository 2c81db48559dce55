import { coalesce } from "@/lib/concurrency/coalesce";
import { remember } from "@/lib/concurrency/remember";
import { runPrepared } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import { log } from "@/lib/log";

/**
 * What a provider reports: that something happened, and to what. `kind` is one of the kinds of watches and `id` the
 * provider's own id of the record. `happenedAt` is when it happened, where the callback says so: a hint where to look, and
 * never the truth. The inbox keeps `payload`.
 */
export type Callback = { eventId: string; kind: string; id: string; happenedAt?: Date; payload: object };

/** What came as a callback, before anybody knows from whom. */
export type CallbackRequest = {
  headers: Headers;
  rawBody: string;
  /** What stands behind the provider's name in its address; empty where nothing does. */
  secret: string;
  /** The client's address. */
  from: string;
  /** Whether a trusted proxy says that it has verified the client's certificate. */
  isCertified: boolean;
};

/**
 * Stores what came in one body, each callback once, and wakes the watch over what it is about: in one statement, with what
 * other bodies bring at the same time. A provider repeats a callback that it believes we missed, so a repeat is asked
 * about again: at once where no watch is left, and else within seconds.
 */
export async function storeCallbacks(provider: string, callbacks: readonly Callback[]): Promise<void> {
  const mayBegin = await hasRoom(provider);
  if (!mayBegin)
    log.error({ provider }, "callbacks name too much that the provider does not know; they begin no watch");
  await storeCoalesced(callbacks.map((callback) => ({ provider, mayBegin, ...callback })));
}

/**
 * How many watches of a provider may stand that nothing but callbacks began, and how many of them without an answer: whoever has
 * found out its secret address can name what does not exist. Beyond that a callback wakes what is watched, and all else is found
 * in the provider's lists.
 */
export const room = { watches: 10_000, unanswered: 1_000 };
const ROOM_FOR_MS = 2_000;

const rooms = new Map<string, () => Promise<boolean>>();

/** Whether callbacks of a provider may begin watches, as it was within the last 2 s. Providers are few. */
function hasRoom(provider: string): Promise<boolean> {
  let read = rooms.get(provider);
  if (!read) {
    read = remember(ROOM_FOR_MS, async () => {
      const [row] = await runPrepared<{ has: boolean }>("callbacks_room", ROOM, [
        provider,
        room.watches,
        room.unanswered,
      ]);
      return row?.has ?? true;
    });
    rooms.set(provider, read);
  }
  return read();
}

const ROOM = `select count(*) <= $2 and count(unanswered_since) <= $3 as has
  from (select unanswered_since from watches where provider = $1 and ends_at is not null and ask_at is not null limit $2 + 1) w`;

const storeCoalesced = coalesce(async (bodies: readonly (readonly Stored[])[]) => {
  const callbacks = bodies.flat();
  if (callbacks.length > 0) await runPrepared("callbacks_store", STORE, [JSON.stringify(callbacks)]);
  wake("watches");
  return bodies.map(() => undefined);
});

type Stored = { provider: string; mayBegin: boolean } & Callback;

/** How long a watch that nothing but a callback began is asked about. */
export const CALLBACK_WATCH = "interval '7 days'";
/** How soon a repeated callback is asked about where a watch stands: no sooner than a question under way may last. */
const REPEAT_AFTER = "interval '5 seconds'";

/**
 * Two statements that store the same callbacks lock them in one order. One may hold a callback twice, and several about one
 * record. `wakes` counts the new ones, so that whoever is asking just now learns that it must ask again.
 */
const STORE = `with sent as materialized (
    select distinct on (provider, "eventId") provider, "eventId" as event_id, kind, id, "happenedAt" as happened_at, payload
    from json_to_recordset($1::json) as c(provider text, "eventId" text, kind text, id text, "happenedAt" timestamptz,
      payload jsonb, "mayBegin" boolean)
    where "mayBegin" or exists (
      select from watches w where w.provider = c.provider and w.kind = c.kind and w.id = c.id and w.ask_at is not null)
    order by 1, 2
  ), stored as (
    insert into callbacks (provider, event_id, kind, about_id, payload)
    select provider, event_id, kind, id, payload from sent order by 1, 2
    on conflict (provider, event_id) do nothing
    returning provider, event_id
  )
  insert into watches as w (provider, kind, id, wakes, happened_at, ends_at)
  select provider, kind, id, count(stored.event_id), max(happened_at), now() + ${CALLBACK_WATCH}
  from sent left join stored using (provider, event_id)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (provider, kind, id) do update set
    ask_at = case when excluded.wakes > 0 or w.ask_at is null then now() else least(w.ask_at, now() + ${REPEAT_AFTER}) end,
    attempts = case when excluded.wakes > 0 then 0 else w.attempts end,
    wakes = w.wakes + excluded.wakes,
    happened_at = coalesce(excluded.happened_at, w.happened_at),
    ends_at = case when w.ends_at is not null then excluded.ends_at end`;
