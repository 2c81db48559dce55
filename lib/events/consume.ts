import { inSets, isUnavailable, type Query } from "@/lib/db";
import { log } from "@/lib/log";
import type { Event } from "@/prisma/client/client";

/** An event as it is consumed. */
export type Happened = Pick<
  Event,
  "accountId" | "id" | "type" | "subject" | "subjectId" | "data" | "record" | "occurredAt"
>;

/**
 * What is done once about each event, in the transaction that takes it from the outbox. May return what to do after the
 * commit.
 */
export type Consumer = (query: Query, events: readonly Happened[]) => Promise<(() => void) | undefined>;

/** How many accounts one batch serves, and how many events of each. */
const ACCOUNTS = 20;
const PER_ACCOUNT = 200;
/** How long an event that could not be consumed is left alone; a process of a later version may know it. */
const LEFT_ALONE_MS = 60_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Makes the function that consumes a batch of the outbox: some events of each of some accounts, which take turns, so that
 * nobody's backlog keeps the others waiting. It returns whether more may wait. Where a batch fails, its events are
 * consumed one by one, and one that fails alone is left alone for a minute. Any number of processes may consume at once.
 */
export function eventsConsumer(consumers: readonly Consumer[]): () => Promise<boolean> {
  const leftAlone = new Map<string, number>();
  let after = BEFORE_ALL;

  return async () => {
    for (const [id, until] of leftAlone) if (until < performance.now()) leftAlone.delete(id);
    const from = after;
    const events = await consumeSome([from, ACCOUNTS, PER_ACCOUNT, [...leftAlone.keys()]]);
    const isFull = isFullBatch(events);
    after = isFull ? (events.at(-1)?.accountId ?? BEFORE_ALL) : BEFORE_ALL;
    return isFull || from !== BEFORE_ALL;
  };

  async function consumeSome(where: unknown[]): Promise<Happened[]> {
    let events: Happened[] = [];
    const claim = async (query: Query) => {
      events = await query<Happened>("outbox_claim", CLAIM, where);
      return events;
    };
    await consume(claim).catch(async (error) => {
      if (isUnavailable(error) || events.length === 0) throw error;
      for (const event of events) await consumeAlone(event);
    });
    return events;
  }

  async function consumeAlone({ accountId, id }: Happened) {
    await consume((query) => query("outbox_claim_one", CLAIM_ONE, [accountId, id])).catch((error) => {
      if (isUnavailable(error)) throw error;
      leftAlone.set(id, performance.now() + LEFT_ALONE_MS);
      log.error({ accountId, eventId: id, error }, "an event could not be consumed");
    });
  }

  async function consume(claim: (query: Query) => Promise<Happened[]>) {
    const after = await inSets(async (query) => {
      const events = await claim(query);
      const done = [];
      if (events.length > 0) for (const act of consumers) done.push(await act(query, events));
      return done;
    });
    for (const act of after) act?.();
  }
}

/** Whether more may wait: every account has had its turn only if none was full, and if there were not too many. */
function isFullBatch(events: readonly Happened[]): boolean {
  const counts = new Map<string, number>();
  for (const { accountId } of events) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts.size >= ACCOUNTS || [...counts.values()].some((count) => count >= PER_ACCOUNT);
}

/** SQL: deletes the rows of `picked` from the outbox, and returns their events in the order in which they happened. */
const TAKE = `gone as (
    delete from outbox o using picked p where o.account_id = p.account_id and o.event_id = p.event_id
    returning o.account_id, o.event_id
  )
  select e.account_id as "accountId", e.id, e.type, e.subject, e.subject_id as "subjectId", e.data, e.record,
    e.occurred_at as "occurredAt"
  from gone g cross join lateral (
    select * from events where account_id = g.account_id and id = g.event_id offset 0
  ) e
  order by e.account_id, e.id`;

/** Walks from account to account, with one step of the outbox's key for each. */
const CLAIM = `with recursive account (id) as (
    (select account_id from outbox where account_id > $1::uuid order by account_id limit 1)
    union all
    select n.account_id from account a cross join lateral (
      select account_id from outbox where account_id > a.id order by account_id limit 1
    ) n
  ), picked as materialized (
    select o.account_id, o.event_id
    from (select id from account limit $2) a cross join lateral (
      select account_id, event_id from outbox where account_id = a.id and event_id <> all($4::uuid[])
      order by event_id limit $3 for update skip locked
    ) o
  ), ${TAKE}`;

const CLAIM_ONE = `with picked as materialized (
    select account_id, event_id from outbox where account_id = $1::uuid and event_id = $2::uuid for update skip locked
  ), ${TAKE}`;
