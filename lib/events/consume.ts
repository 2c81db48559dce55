import { isAway, isLockTimeout, type Query, transactionOverAll } from "@/lib/db";
import { given, isPicked, type Key, keysOf, locked, lockedByKey, turnsOf } from "@/lib/due/find";
import { halvesOf, leftAlone } from "@/lib/due/sets";
import { wakeHere } from "@/lib/due/wake";
import { log } from "@/lib/log";
import type { Event } from "@/prisma/client/client";

/** An event as it is consumed. */
export type Happened = Pick<
  Event,
  "accountId" | "id" | "type" | "subject" | "subjectId" | "data" | "record" | "actor" | "occurredAt"
>;

/** Whether an event is about what an anonymous visitor began, and about nothing that was paid. */
export function isByVisitor({ record }: Pick<Happened, "record">): boolean {
  const { by_visitor: began, paid_at: paidAt } = record as { by_visitor?: boolean; paid_at?: string };
  return began === true && !paidAt;
}

/**
 * What is done once about each event, in the transaction that takes it from the outbox. May return what to do after the
 * commit. What it cannot do now, because another transaction has locked a row that it needs, it leaves: those events come to
 * it again, and what it did about them stays done.
 */
export type Consumer = (query: Query, events: readonly Happened[], leave: Leave) => Promise<(() => void) | undefined>;
export type Leave = (events: readonly Happened[]) => void;

/** How many accounts one batch serves, and how many events of all of them. */
const ACCOUNTS = 20;
const EVENTS = 500;
/** How long a batch waits for a row, and how long the account whose row it is waits then. */
const LOCK_WITHIN = "2s";
const HELD_MS = 30_000;
/** After which time an event comes again that a consumer has left. */
const LEFT_MS = 1_000;
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
  const failed = new Set<Place>();
  let acting: Place | undefined;
  let events: Happened[] = [];
  const set = async (query: Query) => {
    acting = undefined;
    events = await (events.length > 0 ? claimAgain(ALL, events) : claim)(query);
    const acts = [];
    const left: Left[] = [];
    for (const place of events.length > 0 ? places : []) {
      const held = place.held.ids();
      const isLeft = ({ accountId }: Happened) => failed.has(place) || held.includes(accountId);
      left.push(...leftOf(place, events.filter(isLeft)));
      acting = place;
      const mine = events.filter((event) => !isLeft(event));
      if (mine.length > 0) acts.push(await place.consume(query, mine, (some) => left.push(...leaveOf(place, some))));
      acting = undefined;
    }
    await leave(query, left);
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
      failed.add(acting);
      log.warn({ consumer: acting.name, error }, "a consumer is left with events that it fails on");
    }
  }
}

type Left = { consumer: string; accountId: string; eventId: string };

const leftOf = ({ name: consumer }: Place, events: readonly Happened[]): Left[] =>
  events.map(({ accountId, id: eventId }) => ({ consumer, accountId, eventId }));

/** What a consumer leaves itself comes again after a while. */
function leaveOf(place: Place, events: readonly Happened[]): Left[] {
  for (const { id } of events) place.alone.add(id, LEFT_MS);
  return leftOf(place, events);
}

async function leave(query: Query, left: readonly Left[]) {
  if (left.length > 0) await query("outbox_leave", LEAVE, keysOf(LEFT.key, left));
}

/** Runs a consumer on what is claimed of the events that were left for it, and apart on what fails together. */
async function consumeLeft(place: Place, claim: Claim): Promise<void> {
  let events: Happened[] = [];
  const set = async (query: Query) => {
    events = await claim(query);
    const left: Left[] = [];
    const act = events.length > 0 && (await place.consume(query, events, (some) => left.push(...leaveOf(place, some))));
    await leave(query, left);
    return act;
  };
  try {
    const act = await transactionOverAll(set, LOCK_WITHIN);
    if (act) act();
  } catch (error) {
    if (isAway(error) || events.length === 0) throw error;
    for (const part of partsOf(place, events, error)) await consumeLeft(place, claimAgain(LEFT, part, place.name));
  }
}

/**
 * What is consumed apart of events that failed together: each account's where one waited for a row, else each half. Of an
 * event that is alone nothing, nor of an account whose row is held.
 */
function partsOf(place: Place, events: readonly Happened[], error: unknown): (readonly Happened[])[] {
  const [first] = events;
  if (!first) return [];
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
    delete from ${table} o using picked p where ${isPicked("o", "p", key)}
    returning o.account_id, o.event_id
  )
  select e.account_id as "accountId", e.id, e.type, e.subject, e.subject_id as "subjectId", e.data, e.record,
    e.actor, e.occurred_at as "occurredAt"
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
