import { setTimeout as sleep } from "node:timers/promises";
import { coalesceBy } from "@/lib/concurrency/coalesce";
import { runPrepared } from "@/lib/db";

/**
 * What a request is for: a code that a buyer waits for, a question or order that is repeated later where there is no room for it
 * now, or one of the many that read a list, which is read on and so waits longest.
 */
export type Turn = "code" | "question" | "list";

/** How long each waits for room. */
const PATIENCE_MS: Record<Turn, number> = { code: 0, question: 3_000, list: 65_000 };

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
 * other half as long as that is half free. Lists have half of that other half at most, so that questions and orders, which wait
 * for seconds only, find room while one is read. Resolves to 0, or to after how many ms there may be room, where that is too long to
 * wait, or where the provider wants to be left alone.
 */
export async function takeTurn({ signal, ...taking }: Taking): Promise<number> {
  const until = performance.now() + PATIENCE_MS[taking.turn];
  for (;;) {
    const waitMs = await take(`${taking.provider} ${taking.perMinute} ${taking.turn}`, taking);
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
  const wanted = asked.length;
  if (perMinute === null) {
    const [paused] = await runPrepared<{ wait: number }>("provider_paused", PAUSED, [provider]);
    return asked.map(() => paused?.wait ?? 0);
  }
  const others = [`provider-others:${provider}`, Math.floor(perMinute / 2)] as const;
  const room = (key: string, allowed: number, wanted: number) =>
    runPrepared<Room>("provider_turns", TAKE, [provider, key, allowed, wanted]).then(([row]) => row as Room);
  const roomOf: Record<Turn, () => Promise<Room>> = {
    async code() {
      const own = await room(`provider-codes:${provider}`, Math.ceil(perMinute / 2), wanted);
      if (own.granted === wanted) return own;
      const lent = await room(others[0], Math.floor(others[1] / 2), wanted - own.granted);
      return { granted: own.granted + lent.granted, wait: own.wait };
    },
    question: () => room(...others, wanted),
    async list() {
      const own = await room(`provider-lists:${provider}`, Math.floor(others[1] / 2), wanted);
      if (own.granted === 0) return own;
      const all = await room(...others, own.granted);
      return { granted: all.granted, wait: Math.max(own.wait, all.wait) };
    },
  };
  const { granted, wait } = await roomOf[turn]();
  return asked.map((_, at) => (at < granted ? 0 : wait));
});

const PAUSED_ROW = `select ceil(extract(epoch from paused_at - now()) * 1000 + length_ms)::int as wait
  from provider_pauses where provider = $1 and paused_at + length_ms * interval '1 millisecond' > now()`;

const PAUSED = `select greatest(wait, 1) as wait from (${PAUSED_ROW}) p`;

const TAKE = `with paused as materialized (${PAUSED_ROW})
  select 0 as granted, greatest(wait, 1) as wait from paused
  union all
  select granted, wait_ms from take_slots($2, $3::int, $4::int) where not exists (select from paused)`;

/** Those that were under way when a pause began, and are refused too, do not prolong one that the provider did not ask for. */
const PAUSE = `insert into provider_pauses as p (provider, length_ms) values ($1, coalesce($2::int, 5000))
  on conflict (provider) do update set paused_at = now(), length_ms = case
      when $2 is not null then $2
      when p.paused_at + p.length_ms * interval '1 millisecond' > now() - interval '10 minutes' then least(p.length_ms * 2, 300000)
      else 5000
    end
    where p.paused_at + p.length_ms * interval '1 millisecond' <= now() + coalesce($2, 0) * interval '1 millisecond'`;
