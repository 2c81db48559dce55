import { isAway, isLockTimeout, isPicked, type Query, transactionOverAll } from "@/lib/db";
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
 * What a consumer throws where another transaction holds rows of these accounts that it needs: their events wait, and those
 * of all others are consumed.
 */
export const busy = (accountIds: readonly string[]) => Object.assign(new Error("Rows are held"), { accountIds });

/** How many accounts one batch serves, and how many events of all of them. */
const ACCOUNTS = 20;
const EVENTS = 500;
/** How long an event that could not be consumed is left alone; a process of a later version may know it. */
const LEFT_ALONE_MS = 60_000;
/** How long a batch waits for a row, and how long the account whose row it is waits then. */
const LOCK_WITHIN = "2s";
const HELD_MS = 30_000;
/** How long an account waits whose row was held when a consumer asked for it. */
const BUSY_MS = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Makes the function that consumes a batch of the outbox: some events of each of some accounts, which take turns, so that
 * nobody's backlog keeps the others waiting. It returns whether more may wait. A batch that fails is halved until the
 * event that fails is alone, and that event is left alone for a minute. An account of which another transaction holds a row
 * waits, with all its events, and no other does. Any number of processes may consume at once.
 */
export function eventsConsumer(consumers: readonly Consumer[]): () => Promise<boolean> {
  const leftAlone = new Map<string, number>();
  const waiting = new Map<string, number>();
  /** Where the present round of all accounts has come to, and whether it has found anything. */
  let round = { after: BEFORE_ALL, found: false };

  return async () => {
    for (const some of [leftAlone, waiting]) {
      for (const [id, until] of some) if (until < performance.now()) some.delete(id);
    }
    const { accounts, events } = await consumeTurns(round.after, [...leftAlone.keys()]);
    const found = round.found || events.length > 0;
    const last = accounts.length === ACCOUNTS ? accounts.at(-1) : undefined;
    if (last) {
      round = { after: last, found };
      return true;
    }
    const isWhole = round.after === BEFORE_ALL;
    round = { after: BEFORE_ALL, found: false };
    return isWhole ? events.length >= shareOf(accounts) && accounts.length > 0 : found;
  };

  async function consumeTurns(after: string, except: readonly string[]) {
    let accounts: string[] = [];
    let events: Happened[] = [];
    const claim = async (query: Query) => {
      const turns = await query<{ id: string }>("outbox_turns", TURNS, [after, ACCOUNTS, except]);
      accounts = turns.map(({ id }) => id);
      const free = accounts.filter((id) => !waiting.has(id));
      events = [];
      if (free.length > 0) events = await query<Happened>("outbox_claim", CLAIM, [free, shareOf(accounts), except]);
      return events;
    };
    const attempt = (): Promise<void> =>
      consume(claim).catch((error) => (setAside(error) ? attempt() : consumeParts(events, error)));
    await attempt();
    return { accounts, events };
  }

  /** Makes the accounts wait that a consumer found busy. Returns whether there were any. */
  function setAside(error: unknown, ms = BUSY_MS): boolean {
    const { accountIds = [] } = error as Partial<ReturnType<typeof busy>>;
    for (const id of accountIds) waiting.set(id, performance.now() + ms);
    return accountIds.length > 0;
  }

  /** Consumes apart what failed together: each account's events where one waited for a row, else each half. */
  async function consumeParts(events: readonly Happened[], error: unknown): Promise<void> {
    const [first] = events;
    if (isAway(error) || !first) throw error;
    if (isLockTimeout(error)) {
      const accounts = [...new Set(events.map(({ accountId }) => accountId))];
      if (accounts.length > 1) {
        return consumeEach(accounts.map((id) => events.filter(({ accountId }) => accountId === id)));
      }
      setAside(busy(accounts), HELD_MS);
      log.warn({ accountId: first.accountId, error }, "an account's events wait for a row that is held");
      return;
    }
    if (events.length === 1) {
      leftAlone.set(first.id, performance.now() + LEFT_ALONE_MS);
      log.error({ accountId: first.accountId, eventId: first.id, error }, "an event could not be consumed");
      return;
    }
    const middle = Math.ceil(events.length / 2);
    await consumeEach([events.slice(0, middle), events.slice(middle)]);
  }

  async function consumeEach(parts: readonly (readonly Happened[])[]): Promise<void> {
    for (const part of parts) {
      const keys = [part.map(({ accountId }) => accountId), part.map(({ id }) => id)];
      await consume((query) => query("outbox_claim_some", CLAIM_SOME, keys)).catch((error) =>
        setAside(error) ? undefined : consumeParts(part, error),
      );
    }
  }

  async function consume(claim: (query: Query) => Promise<Happened[]>) {
    const after = await transactionOverAll(async (query) => {
      const events = await claim(query);
      const done = [];
      if (events.length > 0) for (const act of consumers) done.push(await act(query, events));
      return done;
    }, LOCK_WITHIN);
    for (const act of after) act?.();
  }
}

/** How many events of each account a batch may hold. */
const shareOf = (accounts: readonly string[]) => Math.ceil(EVENTS / accounts.length);

/** Walks from account to account, with one step of the outbox's key for each. */
const TURNS = `with recursive account (id) as (
    (select account_id from outbox where account_id > $1::uuid and event_id <> all($3::uuid[])
     order by account_id limit 1)
    union all
    select n.account_id from account a cross join lateral (
      select account_id from outbox where account_id > a.id and event_id <> all($3::uuid[])
      order by account_id limit 1
    ) n
  )
  select id from account limit $2`;

/**
 * SQL: deletes the rows of `picked`, which are locked, from the outbox. Returns their events, each account's in the order
 * in which they happened.
 */
const TAKE = `gone as (
    delete from outbox o using picked p where ${isPicked("o", "p", ["account_id", "event_id"])}
    returning o.account_id, o.event_id
  )
  select e.account_id as "accountId", e.id, e.type, e.subject, e.subject_id as "subjectId", e.data, e.record,
    e.occurred_at as "occurredAt"
  from gone g cross join lateral (
    select * from events where account_id = g.account_id and id = g.event_id offset 0
  ) e
  order by e.account_id, e.id`;

const CLAIM = `with picked as materialized (
    select o.* from unnest($1::uuid[]) as a(id) cross join lateral (
      select account_id, event_id from outbox where account_id = a.id and event_id <> all($3::uuid[])
      order by event_id limit $2 for update skip locked
    ) o
  ), ${TAKE}`;

const CLAIM_SOME = `with picked as materialized (
    select o.* from unnest($1::uuid[], $2::uuid[]) as given(account_id, event_id) cross join lateral (
      select account_id, event_id from outbox where account_id = given.account_id and event_id = given.event_id
      offset 0 for update skip locked
    ) o
  ), ${TAKE}`;
