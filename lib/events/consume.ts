import { isAway, isLockTimeout, type Query, transactionOverAll } from "@/lib/db";
import { given, isLocked, type Key, keysOf, locked, lockedByKey, turnsOf } from "@/lib/due/find";
import { halvesOf, leftAlone } from "@/lib/due/sets";
import { wakeHere } from "@/lib/due/wake";
import { log } from "@/lib/log";
import type { Event } from "@/prisma/client/client";

/** An event as it is consumed. */
export type Happened = Pick<
  Event,
  "accountId" | "id" | "type" | "subject" | "subjectId" | "data" | "record" | "occurredAt"
>;

/** Whether an event is about what an anonymous visitor began, and about nothing that was paid. */
export function isByVisitor({ record }: Pick<Happened, "record">): boolean {
  const { by_visitor: began, paid_at: paidAt } = record as { by_visitor?: boolean; paid_at?: string };
  return began === true && !paidAt;
}

/**
 * What is done once about each event, in the transaction that takes it from the outbox. May return what to do after the
 * commit.
 */
export type Consumer = (query: Query, events: readonly Happened[]) => Promise<(() => void) | undefined>;

/**
 * What a consumer throws where another transaction holds rows of these accounts that it needs: their events wait for it, and
 * it consumes those of all others.
 */
export const busy = (accountIds: readonly string[]) => Object.assign(new Error("Rows are held"), { accountIds });
const busyAt = (error: unknown): readonly string[] => (error as Partial<ReturnType<typeof busy>>).accountIds ?? [];

/** How many accounts one batch serves, and how many events of all of them. */
const ACCOUNTS = 20;
const EVENTS = 500;
/** How long a batch waits for a row, and how long the account whose row it is waits then. */
const LOCK_WITHIN = "2s";
const HELD_MS = 30_000;
/** How long an account waits whose row was held when a consumer asked for it. */
const BUSY_MS = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** A consumer with what waits for it alone: events that it could not consume, and accounts of which a row is held. */
type Place = {
  name: string;
  consume: Consumer;
  alone: ReturnType<typeof leftAlone>;
  held: ReturnType<typeof leftAlone>;
};

/**
 * Makes the two functions that consume the outbox. `consume` takes a batch: some events of each of some accounts, which take
 * turns, so that nobody's backlog keeps the others waiting; all consumers act on it in one transaction. What one of them
 * cannot consume is left for it (`outbox_of_consumers`), and the others go on. `catchUp` gives each consumer what was left
 * for it, in batches of the same kind: one that fails is halved until the event that fails is alone, and that event is left
 * alone for a minute. An account of which another transaction holds a row waits for this consumer, and no other account does.
 *
 * Both return whether more may wait. Any number of processes may consume at once.
 */
export function eventsConsumer(consumers: Readonly<Record<string, Consumer>>) {
  const places = Object.entries(consumers).map(
    ([name, consume]): Place => ({ name, consume, alone: leftAlone(), held: leftAlone() }),
  );
  const ofAll = newRounds(ALL);
  const left = places.map((place) => ({ place, ofIt: newRounds(LEFT) }));

  return {
    consume: () => ofAll((claim) => consumeForAll(places, claim)),

    async catchUp(): Promise<boolean> {
      const found = await transactionOverAll((query) => query<{ name: string }>("outbox_left_for", LEFT_FOR, []));
      const names = found.map(({ name }) => name);
      const waiting = left.filter(({ place }) => names.includes(place.name));
      // One after the other, and none is stopped by another's fault.
      const isMore: boolean[] = [];
      const failures: unknown[] = [];
      for (const { place, ofIt } of waiting) {
        await ofIt((claim) => consumeLeft(place, claim), place).then(
          (more) => isMore.push(more),
          (error) => failures.push(error),
        );
      }
      if (failures.length > 0) throw failures[0];
      return isMore.includes(true);
    },
  };
}

/** Claims events, within the transaction that consumes them. */
type Claim = (query: Query) => Promise<Happened[]>;

/** Where events wait: for all consumers, or for one, which parameter 4 of the claims names. */
type Source = { table: string; key: Key; only: string };
const ALL: Source = { table: "outbox", key: { account_id: "uuid", event_id: "uuid" }, only: "true" };
const LEFT: Source = {
  table: "outbox_of_consumers",
  key: { consumer: "text", account_id: "uuid", event_id: "uuid" },
  only: "t.consumer = $4",
};

/** Runs batches so that all accounts have their turn in a round. Returns whether more may wait. */
function newRounds(source: Source) {
  const [turns, claimTurns] = [turnsIn(source), claimIn(source)];
  /** Where the present round has come to, and whether it has found anything. */
  let round = { after: BEFORE_ALL, found: false };

  return async (run: (claim: Claim) => Promise<void>, place?: Place): Promise<boolean> => {
    const except = place?.alone.ids() ?? [];
    const of = place ? [place.name] : [];
    let accounts: string[] = [];
    let count = 0;
    await run(async (query) => {
      const found = await query<{ id: string }>(`${source.table}_turns`, turns, [round.after, ACCOUNTS, except, ...of]);
      accounts = found.map(({ id }) => id);
      const held = place?.held.ids() ?? [];
      const free = accounts.filter((id) => !held.includes(id));
      if (free.length === 0) return [];
      const values = [free, shareOf(accounts), except, ...of];
      const events = await query<Happened>(`${source.table}_claim`, claimTurns, values);
      count = events.length;
      return events;
    });
    const found = round.found || count > 0;
    const last = accounts.length === ACCOUNTS ? accounts.at(-1) : undefined;
    if (last) {
      round = { after: last, found };
      return true;
    }
    const isWhole = round.after === BEFORE_ALL;
    round = { after: BEFORE_ALL, found: false };
    return isWhole ? count >= shareOf(accounts) && accounts.length > 0 : found;
  };
}

/** Claims those of these events that still wait. */
function claimAgain(source: Source, events: readonly Happened[], consumer?: string): Claim {
  const keys = events.map(({ accountId, id: eventId }) => ({ consumer, accountId, eventId }));
  return (query) => query(`${source.table}_claim_some`, claimSomeIn(source), keysOf(source.key, keys));
}

/** Runs all consumers on what is claimed. One that fails is left with the events, and the others consume them without it. */
async function consumeForAll(places: readonly Place[], claim: Claim): Promise<void> {
  /** Which accounts' events a place is not given. */
  const without = new Map<Place, readonly string[] | "all">();
  let acting: Place | undefined;
  let events: Happened[] = [];
  const set = async (query: Query) => {
    acting = undefined;
    events = await (events.length > 0 ? claimAgain(ALL, events) : claim)(query);
    const acts = [];
    const left = [];
    for (const place of events.length > 0 ? places : []) {
      const held = without.get(place) ?? place.held.ids();
      const isLeft = ({ accountId }: Happened) => held === "all" || held.includes(accountId);
      const mine = events.filter((event) => !isLeft(event));
      for (const { accountId, id } of events.filter(isLeft))
        left.push({ consumer: place.name, accountId, eventId: id });
      acting = place;
      if (mine.length > 0) acts.push(await place.consume(query, mine));
      acting = undefined;
    }
    if (left.length > 0) await query("outbox_leave", LEAVE, keysOf(LEFT.key, left));
    return { acts, isLeft: left.length > 0 };
  };
  for (let isDone = false; !isDone; ) {
    try {
      const { acts, isLeft } = await transactionOverAll(set, LOCK_WITHIN);
      for (const act of acts) act?.();
      if (isLeft) wakeHere("events");
      isDone = true;
    } catch (error) {
      if (isAway(error) || !acting) throw error;
      const held = [...(without.get(acting) ?? acting.held.ids())];
      const isHeld = holdBusy(acting, error) && events.some(({ accountId }) => isNew(accountId, held, error));
      without.set(acting, isHeld ? [...held, ...busyAt(error)] : "all");
      if (!isHeld) log.warn({ consumer: acting.name, error }, "a consumer is left with events that it fails on");
    }
  }
}

const isNew = (accountId: string, held: readonly string[], error: unknown) =>
  busyAt(error).includes(accountId) && !held.includes(accountId);

/** Runs a consumer on what is claimed of the events that were left for it, and apart on what fails together. */
async function consumeLeft(place: Place, claim: Claim): Promise<void> {
  let events: Happened[] = [];
  const set = async (query: Query) => {
    events = await claim(query);
    return events.length > 0 ? place.consume(query, events) : undefined;
  };
  try {
    const act = await transactionOverAll(set, LOCK_WITHIN);
    act?.();
  } catch (error) {
    if (isAway(error) || events.length === 0) throw error;
    for (const part of partsOf(place, events, error)) await consumeLeft(place, claimAgain(LEFT, part, place.name));
  }
}

/**
 * What is consumed apart of events that failed together: those of accounts that are not held; each account's where one waited
 * for a row; else each half. Of an event that is alone nothing, nor of an account whose row is held.
 */
function partsOf(place: Place, events: readonly Happened[], error: unknown): (readonly Happened[])[] {
  const [first] = events;
  if (!first) return [];
  if (holdBusy(place, error)) {
    const free = events.filter(({ accountId }) => !place.held.ids().includes(accountId));
    return free.length > 0 ? [free] : [];
  }
  const accounts = [...new Set(events.map(({ accountId }) => accountId))];
  if (isLockTimeout(error)) {
    if (accounts.length > 1) return accounts.map((id) => events.filter(({ accountId }) => accountId === id));
    place.held.add(first.accountId, HELD_MS);
    log.warn(
      { consumer: place.name, accountId: first.accountId, error },
      "an account's events wait for a row that is held",
    );
    return [];
  }
  if (events.length > 1) return halvesOf(events);
  place.alone.add(first.id);
  const { accountId, id: eventId } = first;
  log.error({ consumer: place.name, accountId, eventId, error }, "an event could not be consumed");
  return [];
}

/** Makes the accounts wait that a consumer found busy. Returns whether there were any. */
function holdBusy({ held }: Place, error: unknown): boolean {
  for (const id of busyAt(error)) held.add(id, BUSY_MS);
  return busyAt(error).length > 0;
}

/** How many events of each account a batch may hold. */
const shareOf = (accounts: readonly string[]) => Math.ceil(EVENTS / accounts.length);

/** SQL: the accounts whose turn it is, after parameter 1, up to parameter 2; parameter 3 are the events that are left alone. */
function turnsIn({ table, only }: Source) {
  const waits = `${only} and t.event_id <> all($3::uuid[])`;
  const due = { table, at: "now()", only: waits, of: ["t.account_id"], order: "t.event_id" };
  return `with recursive ${turnsOf(due, ["id"], { begin: "t.account_id > $1::uuid" })} select id from turn limit $2`;
}

/** SQL: the consumers for which something was left. */
const LEFT_FOR = `with recursive ${turnsOf(
  { table: LEFT.table, at: "now()", of: ["t.consumer"], order: "t.account_id, t.event_id" },
  ["name"],
)} select name from turn`;

/**
 * SQL: deletes the rows of `picked`, which are locked. Returns their events, each account's in the order in which they
 * happened.
 */
const take = ({ table, key }: Source) => `gone as (
    delete from ${table} o using picked p where ${isLocked("o", "p", key)}
    returning o.account_id, o.event_id
  )
  select e.account_id as "accountId", e.id, e.type, e.subject, e.subject_id as "subjectId", e.data, e.record,
    e.occurred_at as "occurredAt"
  from gone g cross join lateral (
    select * from events where account_id = g.account_id and id = g.event_id offset 0
  ) e
  order by e.account_id, e.id`;

/** SQL: the first events of the accounts of parameter 1, parameter 2 of each, without those that are left alone. */
function claimIn(source: Source) {
  const { table, key, only } = source;
  const first = locked(`select ${Object.keys(key).join(", ")} from ${table} t
      where t.account_id = a.id and ${only} and t.event_id <> all($3::uuid[]) order by t.event_id limit $2`);
  return `with picked as materialized (
    select o.* from unnest($1::uuid[]) as a(id) cross join lateral (${first}) o
  ), ${take(source)}`;
}

const claimSomeIn = (source: Source) => `with picked as materialized (
    select o.* from ${given(source.key, 1)} cross join lateral ${lockedByKey(source.table, source.key, "given")} o
  ), ${take(source)}`;

const LEAVE = `insert into outbox_of_consumers (consumer, account_id, event_id)
  select * from unnest($1::text[], $2::uuid[], $3::uuid[]) order by 1, 2, 3 on conflict do nothing`;
