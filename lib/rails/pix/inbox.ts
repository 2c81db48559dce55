import { together } from "@/lib/batch";
import { few, statement } from "@/lib/db";
import type { Callback } from "@/lib/rails/pix/port";
import { wake } from "@/lib/wake";

/** A payment to ask its rail about. `paidAt` is when a callback says that it was paid: a hint, and never the truth. */
export type Asked = { endToEndId: string; paidAt?: Date | null };

/** A callback that this process has claimed. */
export type Claimed = Asked & { provider: string; eventId: string };

/** How many callbacks a claim takes. */
export const CLAIM_LIMIT = 100;

/**
 * Stores a callback once, due at once. A rail repeats a callback that it believes we missed, so a repeat is asked about
 * again; what was completed already moves nothing.
 */
export const storeCallback = (provider: string, callback: Callback): Promise<void> =>
  storeTogether({ provider, ...callback });

const storeTogether = together(async (callbacks: readonly New[]) => {
  await store(callbacks);
  return callbacks.map(() => undefined);
});

/** Makes payments due that no callback waits for. Safe to call twice at once. */
export async function askAbout(provider: string, payments: readonly Asked[]): Promise<void> {
  const waiting = await statement<{ id: string }>("callbacks_waiting", WAITING, [
    provider,
    payments.map(({ endToEndId }) => endToEndId),
  ]);
  const known = new Set(waiting.map(({ id }) => id));
  const asked = payments.filter(({ endToEndId }) => !known.has(endToEndId));
  await store(
    asked.map(({ endToEndId, paidAt = null }) => {
      return { provider, eventId: `asked:${endToEndId}`, endToEndId, paidAt, payload: {} };
    }),
  );
}

type New = Claimed & { payload: object };

async function store(callbacks: readonly New[]) {
  if (callbacks.length === 0) return;
  await statement("callbacks_store", STORE, [JSON.stringify(callbacks)]);
  wake("callbacks");
}

/** Two statements that store the same callbacks lock them in one order. One may hold a callback twice. */
const STORE = `insert into rail_callbacks (provider, event_id, end_to_end_id, paid_at, payload, ask_at)
  select distinct on (provider, "eventId") provider, "eventId", "endToEndId", "paidAt", payload, now()
  from json_to_recordset($1::json)
    as c(provider text, "eventId" text, "endToEndId" text, "paidAt" timestamptz, payload jsonb)
  order by 1, 2
  on conflict (provider, event_id) do update set ask_at = coalesce(rail_callbacks.ask_at, now())`;

const WAITING = `select end_to_end_id as id from rail_callbacks
  where ask_at is not null and provider = $1 and end_to_end_id = any($2::text[])`;

/**
 * Claims callbacks that are due by moving their next question ahead, at first by 5 s and at last by an hour, so that
 * another process asks if this one dies. A callback that is older than a week is claimed for the last time.
 */
export const claimCallbacks = () => statement<Claimed>("callbacks_claim", CLAIM, []);

const CLAIM = `with due as materialized (
    select provider, event_id from rail_callbacks where ask_at <= now() order by ask_at limit ${CLAIM_LIMIT}
    for update skip locked
  )
  update rail_callbacks c set attempts = c.attempts + 1, ask_at = case
    when c.received_at > now() - interval '7 days'
    then now() + least(interval '5 seconds' * 2 ^ least(c.attempts, 10), interval '1 hour') end
  from due where ${few("due.event_id", "text")} and c.provider = due.provider and c.event_id = due.event_id
  returning c.provider, c.event_id as "eventId", c.end_to_end_id as "endToEndId", c.paid_at as "paidAt"`;

/** Ends callbacks whose payments are completed or noted. */
export async function endCallbacks(callbacks: readonly Claimed[]): Promise<void> {
  if (callbacks.length === 0) return;
  const of = (name: "provider" | "eventId") => callbacks.map((callback) => callback[name]);
  await statement("callbacks_end", END, [of("provider"), of("eventId")]);
}

const END = `update rail_callbacks c set ask_at = null
  from unnest($1::text[], $2::text[]) as due(provider, event_id)
  where ${few("due.event_id", "text")} and c.provider = due.provider and c.event_id = due.event_id`;
