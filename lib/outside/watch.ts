import { setTimeout as sleep } from "node:timers/promises";
import { inParallel } from "@/lib/concurrency/parallel";
import { type Query, runPrepared } from "@/lib/db";
import { claimsOf, type Leased } from "@/lib/due/claims";
import type { DueRows } from "@/lib/due/find";
import { wake, wakeHere, wakeOnCommit } from "@/lib/due/wake";
import { log } from "@/lib/log";
import { CALLBACK_WATCH } from "@/lib/outside/inbox";

/** What a provider may change by itself, by its own id of it. `happenedAt` is a hint where to look, never the truth. */
export type Watched = { id: string; happenedAt?: Date | null };

/** What became of a watched record: nothing more is expected of one that is over, and one that is open goes on. */
export type Progress = "over" | "open";

/**
 * One kind of what may change by itself. Its noun defines it, and `lib/jobs/registry.ts` names it. Both functions are for
 * one provider. What is missing in an answer of theirs is asked about again, as is all of it where one throws.
 */
export type WatchKind<Truth = unknown> = {
  /** The name of the kind in `watches`, and in callbacks about it. */
  name: string;

  /** The provider's own records, by id, of those that it knows and could answer about in time. */
  read(provider: string, watched: readonly Watched[]): Promise<ReadonlyMap<string, Truth>>;

  /** Writes what follows. It is given the same truth any number of times, and twice at once. */
  write(provider: string, truths: ReadonlyMap<string, Truth>): Promise<ReadonlyMap<string, Progress>>;
};

/** How many questions to one provider run at once, and for how long new ones begin. */
const AT_ONCE = 10;
const ASK_FOR_MS = 5_000;

/** Reads records one by one, for a provider that answers about one at a time; null is a record that it does not know. */
export function readEach<Truth>(
  read: (provider: string, id: string) => Promise<Truth | null>,
): WatchKind<Truth>["read"] {
  return async (provider, watched) => {
    const until = performance.now() + ASK_FOR_MS;
    const found = new Map<string, Truth>();
    await inParallel(watched, AT_ONCE, async ({ id }) => {
      if (performance.now() > until) return;
      const truth = await read(provider, id).catch((error) => {
        log.warn({ provider, id, error }, "a provider did not answer about a record");
        return null;
      });
      if (truth !== null) found.set(id, truth);
    });
    return found;
  };
}

/** Writes what follows from records one by one; one that throws holds up no other. */
export function writeEach<Truth>(
  write: (provider: string, truth: Truth) => Promise<Progress>,
): WatchKind<Truth>["write"] {
  return async (provider, truths) => {
    const written = new Map<string, Progress>();
    await inParallel(truths, AT_ONCE, async ([id, truth]) => {
      await write(provider, truth).then(
        (progress) => written.set(id, progress),
        (error) => log.warn({ provider, id, error }, "what a provider reported was not written yet"),
      );
    });
    return written;
  };
}

/**
 * Watches records from `askAt` on, in real time, until they are over: so a callback that is lost delays and loses nothing.
 * Watching again asks anew from `askAt`. It commits with the caller's transaction.
 */
export async function watch(query: Query, kind: string, provider: string, ids: readonly string[], askAt: Date) {
  if (ids.length === 0) return;
  await query("watch", WATCH, [provider, kind, [...new Set(ids)].sort(), askAt]);
  wakeOnCommit(query, "watches");
}

const WATCH = `insert into watches as w (provider, kind, id, ask_at, since)
  select $1, $2, id, $4::timestamptz, $4::timestamptz from unnest($3::text[]) as record(id)
  on conflict (provider, kind, id) do update set ask_at = excluded.ask_at, since = excluded.since, ends_at = null,
    attempts = 0, wakes = w.wakes + 1`;

/**
 * Goes on asking about a record until it is over, also where so far only a callback asked. What is watched on already keeps its
 * times. It commits with the caller's transaction.
 */
export async function watchOn(query: Query, kind: string, provider: string, id: string): Promise<void> {
  await query("watch_on", WATCH_ON, [provider, kind, id]);
  wakeOnCommit(query, "watches");
}

const WATCH_ON = `insert into watches as w (provider, kind, id, ask_at) values ($1, $2, $3, now() + interval '5 seconds')
  on conflict (provider, kind, id) do update set ask_at = excluded.ask_at, since = now(), ends_at = null, attempts = 0,
    wakes = w.wakes + 1
  where w.ends_at is not null`;

/** Makes records due at once that no watch waits for, as if a callback had come. Safe to call twice at once. */
export async function askAbout(kind: string, provider: string, records: readonly Watched[]): Promise<void> {
  if (records.length === 0) return;
  await runPrepared("watches_ask", ASK, [provider, kind, JSON.stringify(records)]);
  wake("watches");
}

const ASK = `insert into watches as w (provider, kind, id, happened_at, ends_at)
  select distinct on (id) $1, $2, id, "happenedAt", now() + ${CALLBACK_WATCH}
  from json_to_recordset($3::json) as c(id text, "happenedAt" timestamptz) order by id
  on conflict (provider, kind, id) do update set ask_at = now(), ends_at = excluded.ends_at where w.ask_at is null`;

type Claimed = Watched & Leased & { provider: string; kind: string; isOurs: boolean };

/** Watches that are due; each kind at each provider has a turn of its own. */
export const dueWatches = {
  ...{ table: "watches", key: { provider: "text", kind: "text", id: "text" } },
  ...{ at: "ask_at", only: "ask_at is not null", of: ["kind", "provider"] },
} as const satisfies DueRows;

/** The watches of one kind at one provider. */
type Group = { kind: string; provider: string };

/** How many records of one kind and provider a batch asks about. */
export const CLAIM_LIMIT = 100;
/** How long a claim lasts without renewal: if this process dies, another one asks then. */
const LEASE_MS = 5_000;
/** How long a loop waits for a slow provider before it looks for what others owe. */
const PATIENCE_MS = 1_000;

/**
 * Makes the loop of all watches. Each batch asks every provider about what is due of each kind, all at once. A provider
 * that answers slowly is asked nothing more until it has answered, and holds up no other: its batch ends later, by itself.
 */
export function watchLoop(kinds: readonly WatchKind[]): () => Promise<boolean> {
  const busy = new Map<string, Group>();
  return async () => {
    const batch = askDue(kinds, busy);
    const isMoreDue = await Promise.race([batch, sleep(PATIENCE_MS)]);
    if (isMoreDue !== undefined) return isMoreDue;
    batch.then(
      () => wakeHere("watches"),
      (error) => log.error({ error }, "watches were not asked about"),
    );
    return false;
  };
}

/** Asks about everything of these kinds that is due, in one batch. Returns whether more may be due. */
export async function askDue(kinds: readonly WatchKind[], busy = new Map<string, Group>()): Promise<boolean> {
  const due = await claimWatches(kinds, [...busy.values()]);
  const groups = new Map<string, Claimed[]>();
  for (const one of due) {
    const name = `${one.kind} ${one.provider}`;
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  await Promise.all(
    [...groups].map(async ([name, claimed]) => {
      const kind = kinds.find((one) => one.name === claimed[0]?.kind) as WatchKind;
      busy.set(name, claimed[0] as Claimed);
      await ask(kind, claimed).finally(() => busy.delete(name));
    }),
  );
  return [...groups.values()].some(({ length }) => length === CLAIM_LIMIT);
}

/** Claims what is due of each kind and provider; a question moves its watch ahead. */
const watches = claimsOf<Omit<Claimed, "leasedUntil">>({
  ...{ name: "watches", rows: dueWatches, leaseMs: LEASE_MS, limit: CLAIM_LIMIT },
  groups: { of: { kind: "text", provider: "text" }, among: "kind" },
  columns: `, t.happened_at as "happenedAt", t.ends_at is null as "isOurs"`,
  sets: ", attempts = t.attempts + 1",
});

/** Claims what is due of these kinds, except of the groups that are busy. */
export const claimWatches = (kinds: readonly Pick<WatchKind, "name">[], busy: readonly Group[] = []) =>
  watches.claim(
    kinds.map(({ name }) => name),
    busy,
  );

/** Asks one provider about claimed records, writes what follows, and ends their watches or puts them off. */
async function ask(kind: WatchKind, claimed: readonly Claimed[]): Promise<void> {
  const { provider } = claimed[0] as Claimed;
  const about = { provider, kind: kind.name };
  const failed = (error: unknown) => {
    log.warn({ ...about, error }, "a provider's records were not followed yet");
    return new Map<string, never>();
  };
  const { result: written, kept } = await watches.keep(claimed, async () => {
    const truths = await kind.read(provider, claimed).catch(failed);
    return truths.size > 0 ? kind.write(provider, truths).catch(failed) : new Map<string, Progress>();
  });
  // What only a callback asked about ends with its answer.
  const isOver = ({ id, isOurs }: Claimed) => written.get(id) === "over" || (written.has(id) && !isOurs);
  await endWatches(kept.filter(isOver));
  await putOff(kept.filter((one) => !isOver(one)).map((one) => ({ ...one, isAnswered: written.has(one.id) })));
  for (const { id } of kept) if (!written.has(id)) log.warn({ ...about, id }, "a watch has no answer yet");
}

/** Ends watches, except those that were woken since they were claimed. */
export const endWatches = watches.ending("end", "delete");

const BACKOFF = "interval '5 seconds' * 2 ^ least(t.attempts - 1, 15)";

/**
 * Puts watches off, except those that were woken since they were claimed. A record that the provider answered about is
 * asked about again after as long as it has been watched, a day at most, and not before its own time. One without an
 * answer after 5 s, 10 s, … an hour, for as long as a callback's watch lasts; without such an end, a day at last.
 */
const putOff = watches.ending<{ isAnswered: boolean }>(
  "put_off",
  `attempts = case when is_answered then 0 else t.attempts end,
    unanswered_since = case when not is_answered then coalesce(t.unanswered_since, now()) end,
    ask_at = case
      when is_answered then greatest(t.since, now() + greatest(least(now() - t.since, interval '1 day'), interval '5 seconds'))
      when t.ends_at is null then now() + least(${BACKOFF}, interval '1 day')
      when t.ends_at > now() then now() + least(${BACKOFF}, interval '1 hour')
    end`,
  { is_answered: "boolean" },
);
