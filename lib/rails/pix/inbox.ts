import { coalesce } from "@/lib/concurrency/coalesce";
import { expectFew, type Query, runPrepared } from "@/lib/db";
import { wake, wakeOnCommit } from "@/lib/due/wake";
import type { Callback, Change } from "@/lib/rails/pix/port";

/** A payment to ask its rail about. `paidAt` is when a callback says that it was paid: a hint, and never the truth. */
export type Asked = { endToEndId: string; paidAt?: Date | null };

/** A callback that this process has claimed. */
export type Claimed = Asked & { provider: string; eventId: string };

/** A callback about a mandate or a debit, or a watch over one, that this process has claimed. */
export type ClaimedChange = { provider: string; eventId: string; mandateId: string | null; txid: string | null };

/** How many callbacks a claim takes. */
export const CLAIM_LIMIT = 100;

/**
 * Stores a callback once, due at once. A rail repeats a callback that it believes we missed, so a repeat is asked about
 * again; what was completed already moves nothing.
 */
export const storeCallback = (provider: string, callback: Callback): Promise<void> =>
  storeTogether({ provider, ...callback });

const storeTogether = coalesce(async (callbacks: readonly New[]) => {
  await store(callbacks);
  return callbacks.map(() => undefined);
});

/** Makes payments due that no callback waits for. Safe to call twice at once. */
export async function askAbout(provider: string, payments: readonly Asked[]): Promise<void> {
  const waiting = await runPrepared<{ id: string }>("callbacks_waiting", WAITING, [
    provider,
    payments.map(({ endToEndId }) => endToEndId),
  ]);
  const known = new Set(waiting.map(({ id }) => id));
  const asked = payments.filter(({ endToEndId }) => !known.has(endToEndId));
  await store(
    asked.map(({ endToEndId, paidAt }) => {
      return { provider, eventId: `asked:${endToEndId}`, endToEndId, ...(paidAt && { paidAt }), payload: {} };
    }),
  );
}

type New = { provider: string } & Callback;

async function store(callbacks: readonly New[]) {
  if (callbacks.length === 0) return;
  await runPrepared("callbacks_store", STORE, [JSON.stringify(callbacks)]);
  wake("callbacks");
}

/** Two statements that store the same callbacks lock them in one order. One may hold a callback twice. */
const STORE = `insert into rail_callbacks (provider, event_id, end_to_end_id, mandate_id, txid, paid_at, payload, ask_at)
  select distinct on (provider, "eventId") provider, "eventId", "endToEndId", "mandateId", txid, "paidAt", payload, now()
  from json_to_recordset($1::json) as c(provider text, "eventId" text, "endToEndId" text, "mandateId" text, txid text,
    "paidAt" timestamptz, payload jsonb)
  order by 1, 2
  on conflict (provider, event_id) do update set ask_at = coalesce(rail_callbacks.ask_at, now())`;

const WAITING = `select end_to_end_id as id from rail_callbacks
  where ask_at is not null and provider = $1 and end_to_end_id = any($2::text[])`;

/** How long a claim lasts: if this process dies, another one asks then. */
const CLAIM_SECONDS = 5;

/**
 * Claims callbacks about payments that are due by moving their next question ahead by some seconds. Whoever claims ends
 * them (`endCallbacks`) or asks again later (`askLater`).
 */
export const claimCallbacks = () => runPrepared<Claimed>("callbacks_claim", CLAIM, []);

const CLAIM = `with due as materialized (
    select provider, event_id from rail_callbacks where ask_at <= now() and end_to_end_id is not null
    order by ask_at limit ${CLAIM_LIMIT} for update skip locked
  )
  update rail_callbacks c set attempts = c.attempts + 1, ask_at = now() + interval '${CLAIM_SECONDS} seconds'
  from due where ${expectFew("due.event_id", "text")} and c.provider = due.provider and c.event_id = due.event_id
  returning c.provider, c.event_id as "eventId", c.end_to_end_id as "endToEndId", c.paid_at as "paidAt"`;

/** How the event id of a watch begins: a question that we ask without a callback. */
const WATCH = "watch:";

export const isWatch = ({ eventId }: ClaimedChange) => eventId.startsWith(WATCH);

/**
 * Makes the follower of changes (`followChanges`) ask about a mandate or a debit from `askAt` on, in real time, again and
 * again until it is over: after some seconds, later daily. So a callback that is lost delays and loses nothing. Watching
 * again asks anew from `askAt`. It commits with the caller's transaction.
 */
export async function watch(query: Query, provider: string, changes: readonly Change[], askAt: Date): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change) => {
    return { ...change, eventId: WATCH + ("txid" in change ? change.txid : change.mandateId) };
  });
  await query("changes_watch", WATCHED, [provider, JSON.stringify(rows), askAt]);
  wakeOnCommit(query, "callbacks");
}

const WATCHED = `insert into rail_callbacks (provider, event_id, mandate_id, txid, payload, ask_at)
  select distinct on ("eventId") $1::text, "eventId", "mandateId", txid, '{}', $3::timestamptz
  from json_to_recordset($2::json) as c("eventId" text, "mandateId" text, txid text)
  order by "eventId"
  on conflict (provider, event_id) do update set ask_at = excluded.ask_at, attempts = 0`;

/** Claims changes that are due, as `claimCallbacks` does. */
export const claimChanges = () => runPrepared<ClaimedChange>("changes_claim", CLAIM_CHANGES, []);

const CLAIM_CHANGES = `with due as materialized (
    select provider, event_id from rail_callbacks where ask_at <= now() and end_to_end_id is null
    order by ask_at limit ${CLAIM_LIMIT} for update skip locked
  )
  update rail_callbacks c set attempts = c.attempts + 1, ask_at = now() + interval '${CLAIM_SECONDS} seconds'
  from due where ${expectFew("due.event_id", "text")} and c.provider = due.provider and c.event_id = due.event_id
  returning c.provider, c.event_id as "eventId", c.mandate_id as "mandateId", c.txid`;

/**
 * Asks about claimed callbacks again, at first after 5 s and at last after an hour, but not about one that is older than
 * a week. A watch has no last time, and waits a day at most.
 */
export async function askLater(callbacks: readonly Pick<Claimed, "provider" | "eventId">[]): Promise<void> {
  if (callbacks.length === 0) return;
  const of = (name: "provider" | "eventId") => callbacks.map((callback) => callback[name]);
  await runPrepared("callbacks_later", LATER, [of("provider"), of("eventId")]);
}

const LATER = `update rail_callbacks c set ask_at = case
    when c.event_id like '${WATCH}%'
    then now() + least(interval '5 seconds' * 2 ^ least(c.attempts - 1, 15), interval '1 day')
    when c.received_at > now() - interval '7 days'
    then now() + least(interval '5 seconds' * 2 ^ least(c.attempts - 1, 10), interval '1 hour') end
  from unnest($1::text[], $2::text[]) as due(provider, event_id)
  where ${expectFew("due.event_id", "text")} and c.provider = due.provider and c.event_id = due.event_id
    and c.attempts > 0 and c.ask_at is not null`;

/** Ends callbacks whose payments are completed or noted, or whose changes were followed. */
export async function endCallbacks(callbacks: readonly Pick<Claimed, "provider" | "eventId">[]): Promise<void> {
  if (callbacks.length === 0) return;
  const of = (name: "provider" | "eventId") => callbacks.map((callback) => callback[name]);
  await runPrepared("callbacks_end", END, [of("provider"), of("eventId")]);
}

const END = `update rail_callbacks c set ask_at = null
  from unnest($1::text[], $2::text[]) as due(provider, event_id)
  where ${expectFew("due.event_id", "text")} and c.provider = due.provider and c.event_id = due.event_id`;
