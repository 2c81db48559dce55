import { setTimeout as sleep } from "node:timers/promises";
import { coalesceBy } from "@/lib/concurrency/coalesce";
import { runPrepared } from "@/lib/db";

/**
 * What a request is for: a code of an account, which a buyer waits for, a question or order that is repeated later where there is
 * no room for it now, or one of the many that read a list, which is read on and so waits longest.
 */
export type Turn = { codeOf: string } | "question" | "list";

/** How long each waits for room; a code does not. */
const PATIENCE_MS = { question: 3_000, list: 65_000 };

type Taking = {
  provider: string;
  /** How many requests the provider takes in a minute; null where it names no limit. */
  perMinute: number | null;
  turn: Turn;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
};

/**
 * Takes one request of a provider's minute, which all processes share exactly: half of it is for codes, which also take of the
 * other half as long as that is half free. Of all these codes an account may hold three times as many as are still free, so
 * nobody's crowd leaves nothing to the others. Lists have half of that other half at most, so that questions and orders, which wait
 * for seconds only, find room while one is read. Resolves to 0, or to after how many ms there may be room, where that is too long to
 * wait, or where the provider wants to be left alone.
 */
export async function takeTurn({ signal, ...taking }: Taking): Promise<number> {
  const { provider, perMinute, turn } = taking;
  const kind = typeof turn === "object" ? "code" : turn;
  const until = performance.now() + (kind === "code" ? 0 : PATIENCE_MS[kind]);
  for (;;) {
    const waitMs = await take(`${provider} ${perMinute} ${kind}`, taking);
    if (waitMs === 0 || performance.now() + waitMs > until) return waitMs;
    await sleep(waitMs, undefined, { ...(signal && { signal }) }).catch(() => {});
    if (signal?.aborted) return waitMs;
  }
}

/** Leaves a provider alone, in all processes: for as long as it asks, or for longer and longer while it says nothing. */
export const pauseRequests = (provider: string, retryAfterMs: number | undefined): Promise<unknown> =>
  runPrepared("provider_pause", PAUSE, [provider, retryAfterMs ?? null]);

type Room = { granted: number; wait: number };

/** Takes for all who ask at the same time. Of a provider without a limit it only says whether it is to be left alone. */
const take = coalesceBy<Taking, number>(async (_, asked) => {
  const { provider, perMinute, turn } = asked[0] as Taking;
  if (perMinute === null) {
    const [paused] = await runPrepared<{ wait: number }>("provider_paused", PAUSED, [provider]);
    return asked.map(() => paused?.wait ?? 0);
  }
  if (typeof turn === "object") return takeCodes(provider, perMinute, asked);
  const others = othersOf(provider, perMinute);
  const room = (key: string, allowed: number, wanted: number) =>
    runPrepared<Room>("provider_turns", TAKE, [provider, key, allowed, wanted]).then(([row]) => row as Room);
  const own = turn === "list" && (await room(`provider-lists:${provider}`, others.half, asked.length));
  const wanted = own ? own.granted : asked.length;
  const all = wanted > 0 ? await room(others.key, others.allowed, wanted) : { granted: 0, wait: 0 };
  const wait = Math.max(all.wait, own ? own.wait : 0);
  return asked.map((_, at) => (at < all.granted ? 0 : wait));
});

/** What is not for codes, but for the half of it that is lent. */
const othersOf = (provider: string, perMinute: number) => {
  const allowed = Math.floor(perMinute / 2);
  return { key: `provider-others:${provider}`, allowed, half: Math.floor(allowed / 2) };
};

/**
 * How many times as many codes of the minute as are still free an account may hold (the dynamic threshold of shared buffers): alone
 * it gets three quarters of them, two get three sevenths each, and who holds none gets one as long as any is free.
 */
const TIMES_FREE = 3;

/** Takes codes for all accounts that ask at the same time, in one statement. */
async function takeCodes(provider: string, perMinute: number, asked: readonly Taking[]): Promise<number[]> {
  const others = othersOf(provider, perMinute);
  const slots = asked.map(({ turn }) => `provider-account:${provider}:${(turn as { codeOf: string }).codeOf}`);
  const wanted = new Map<string, number>();
  for (const slot of slots) wanted.set(slot, (wanted.get(slot) ?? 0) + 1);
  const rooms = await runPrepared<Room & { slot: string | null }>("provider_codes", TAKE_CODES, [
    ...[provider, `provider-codes:${provider}`, Math.ceil(perMinute / 2), others.key, others.half, TIMES_FREE],
    ...[[...wanted.keys()], [...wanted.values()]],
  ]);
  return slots.map((slot) => {
    const room = rooms.find((one) => one.slot === slot) ?? (rooms[0] as Room);
    room.granted -= 1;
    return room.granted >= 0 ? 0 : room.wait;
  });
}

const PAUSED_ROW = `select ceil(extract(epoch from paused_at - now()) * 1000 + length_ms)::int as wait
  from provider_pauses where provider = $1 and paused_at + length_ms * interval '1 millisecond' > now()`;

const PAUSED = `select greatest(wait, 1) as wait from (${PAUSED_ROW}) p`;

const TAKE = `with paused as materialized (${PAUSED_ROW})
  select 0 as granted, greatest(wait, 1) as wait from paused
  union all
  select granted, wait_ms from take_slots($2, $3::int, $4::int) where not exists (select from paused)`;

const TAKE_CODES = `with paused as materialized (${PAUSED_ROW})
  select null as slot, 0 as granted, greatest(wait, 1) as wait from paused
  union all
  select room.* from take_fair_slots($2, $3::int, $4, $5::int, $6::int, $7::text[], $8::int[]) taken,
    unnest($7::text[], taken.granted, taken.wait_ms) room where not exists (select from paused)`;

/** Those that were under way when a pause began, and are refused too, do not prolong one that the provider did not ask for. */
const PAUSE = `insert into provider_pauses as p (provider, length_ms) values ($1, coalesce($2::int, 5000))
  on conflict (provider) do update set paused_at = now(), length_ms = case
      when $2 is not null then $2
      when p.paused_at + p.length_ms * interval '1 millisecond' > now() - interval '10 minutes' then least(p.length_ms * 2, 300000)
      else 5000
    end
    where p.paused_at + p.length_ms * interval '1 millisecond' <= now() + coalesce($2, 0) * interval '1 millisecond'`;
