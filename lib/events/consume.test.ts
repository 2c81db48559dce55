import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Query, transactionOverAll } from "@/lib/db";
import { type Consumer, eventsConsumer, type Happened, type Leave } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";

/** A consumer takes the events of all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  await asOwner(`create table places (account_id uuid primary key); -- rows that consumers lock
    create table acted (consumer text, event_id uuid)`);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await asOwner("truncate outbox, outbox_of_consumers, acted");
});
afterAll(() => drop());

const asOwner = (text: string) => connected(ownerUrl(), (client) => client.query(text));

/** Writes events of accounts, `each` of every one. Returns their ids by account, in the order in which they happened. */
async function happen(accounts: readonly string[], each: number): Promise<Map<string, string[]>> {
  const text = `with happened as (
      insert into events (account_id, id, type, subject, subject_id, data, record, occurred_at)
      select a.id, new_id(), 'test.happened', 'test', new_id(), '{}', '{}', now()
      from unnest($1::uuid[]) a(id), generate_series(1, $2) n
      returning account_id, id
    ), enqueued as (insert into outbox (account_id, event_id) select account_id, id from happened)
    select account_id as "accountId", array_agg(id::text order by id) as ids from happened group by account_id`;
  const rows = await transactionOverAll((query) =>
    query<{ accountId: string; ids: string[] }>("", text, [accounts, each]),
  );
  return new Map(rows.map(({ accountId, ids }) => [accountId, ids]));
}

const accountsNamed = (count: number) => Array.from({ length: count }, newId).sort();

/** The events that still wait, for all or for one. */
const WAITING = "select event_id as id from outbox union all select event_id from outbox_of_consumers order by id";
const waiting = async () => (await asOwner(WAITING)).rows.map(({ id }) => String(id));

/** Takes a batch with these consumers, and then gives them what they were left with, as the two loops of a worker do. */
function running(...consumers: Consumer[]) {
  const named = Object.fromEntries(consumers.map((consumer, i) => [`consumer ${i}`, consumer]));
  const { consume, catchUp } = eventsConsumer(named);
  return async () => {
    const isMore = await consume();
    return (await catchUp()) || isMore;
  };
}

/** A consumer that notes what it was given, and what of it was committed. */
function recorder(act: (query: Query, events: readonly Happened[], leave: Leave) => unknown = () => {}) {
  const given: Happened[][] = [];
  const kept: string[] = [];
  const consumer: Consumer = async (query, events, leave) => {
    given.push([...events]);
    const left = new Set<Happened>();
    await act(query, events, (some) => {
      for (const event of some) left.add(event);
      leave(some);
    });
    return () => void kept.push(...events.filter((event) => !left.has(event)).map(({ id }) => id));
  };
  return { consumer, given, kept };
}

async function untilDone(run: () => Promise<boolean>): Promise<number> {
  let runs = 1;
  while (await run()) runs += 1;
  return runs;
}

/** Lets a minute pass for what is left alone. */
function letAMinutePass() {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 61_000);
}

test("ten thousand events of one account do not keep another's waiting", async () => {
  const [first = "", last = ""] = accountsNamed(2);
  await happen([first], 10_000);
  const [other] = (await happen([last], 1)).get(last) ?? [];
  const { consumer, given, kept } = recorder();
  expect(await running(consumer)(), "more is left").toBe(true);
  expect(kept).toContain(other);
  expect(given.map(({ length }) => length)).toEqual([251]);
});

test("all events are consumed, each account's in the order in which they happened", async () => {
  const accounts = accountsNamed(3);
  const written = await happen(accounts, 700);
  const { consumer, given } = recorder();
  await untilDone(running(consumer));
  for (const account of accounts) {
    const theirs = given.flat().filter(({ accountId }) => accountId === account);
    expect(theirs.map(({ id }) => id)).toEqual(written.get(account));
  }
  expect(await waiting()).toEqual([]);
});

test("many accounts take turns: none is served twice before each was served once", async () => {
  const accounts = accountsNamed(50);
  await happen(accounts, 30);
  const { consumer, given, kept } = recorder();
  const run = running(consumer);
  for (let batch = 1; batch <= 3; batch += 1) await run();
  expect(given.flatMap((events) => [...new Set(events.map(({ accountId }) => accountId))])).toEqual(accounts);
  await untilDone(run);
  expect(kept).toHaveLength(1_500);
});

test("an account whose event comes while others are served has its turn in the next round", async () => {
  const [late = "", ...others] = accountsNamed(41);
  await happen(others, 1);
  const { consumer, kept } = recorder();
  const run = running(consumer);
  await run();
  const [id] = (await happen([late], 1)).get(late) ?? [];
  await untilDone(run);
  expect(kept).toHaveLength(41);
  expect(kept.at(-1)).toBe(id);
});

test("when nothing waits a run reads the outbox and asks no consumer", async () => {
  const { consumer, given } = recorder();
  expect(await running(consumer)()).toBe(false);
  expect(given).toEqual([]);
});

test("an event that cannot be consumed stops no other, is left alone for a minute, and is consumed by who knows it", async () => {
  vi.spyOn(log, "error").mockImplementation(() => {});
  const accounts = accountsNamed(3);
  const all = [...(await happen(accounts, 100)).values()].flat();
  const unknown = [all[7], all[150], all[299]];
  const isUnknown = ({ id }: Happened) => unknown.includes(id);
  const { consumer, given, kept } = recorder((_query, events) => {
    if (events.some(isUnknown)) throw new Error("No row describes this event");
  });
  const run = running(consumer);
  await untilDone(run);
  expect(kept.toSorted()).toEqual(all.filter((id) => !unknown.includes(id)).toSorted());
  expect(await waiting()).toEqual(unknown.toSorted());
  expect(given.length, "three are found by halves, not by asking one by one").toBeLessThan(60);

  const asked = given.length;
  const [more] = (await happen(accounts.slice(0, 1), 1)).get(accounts[0] ?? "") ?? [];
  await untilDone(run);
  expect(given.slice(asked).map((events) => events.map(({ id }) => id))).toEqual([[more]]);
  letAMinutePass();
  await run();
  expect(
    given
      .slice(asked + 1)
      .flat()
      .filter(isUnknown).length,
  ).toBeGreaterThanOrEqual(3);
  expect(await waiting()).toEqual(unknown.toSorted());

  const later = recorder();
  await untilDone(running(later.consumer));
  expect(later.kept.toSorted()).toEqual(unknown.toSorted());
});

test("accounts whose events all fail do not keep those behind them waiting", async () => {
  vi.spyOn(log, "error").mockImplementation(() => {});
  const accounts = accountsNamed(41);
  const failing = new Set(accounts.slice(0, 40));
  await happen(accounts, 1);
  const { consumer, kept } = recorder((_query, events) => {
    if (events.some(({ accountId }) => failing.has(accountId))) throw new Error("No row describes this event");
  });
  const run = running(consumer);
  await untilDone(run);
  expect(kept).toHaveLength(1);
  const [next] = (await happen(accounts.slice(-1), 1)).values();
  expect(await run(), "nothing is left but what is left alone").toBe(false);
  expect(kept.slice(1)).toEqual(next);
});

const asking = {
  "that a consumer finds held": async (query: Query, events: readonly Happened[], leave: Leave) => {
    const text = "select account_id from places where account_id = any($1::uuid[]) for update skip locked";
    const got = await query<{ account_id: string }>("", text, [events.map(({ accountId }) => accountId)]);
    const free = new Set(got.map(({ account_id }) => account_id));
    leave(events.filter(({ accountId }) => !free.has(accountId)));
  },
  "for which a consumer waits for too long": async (query: Query, events: readonly Happened[]) => {
    await query("", "select set_config('lock_timeout', '1ms', true)", []);
    const accountIds = events.map(({ accountId }) => accountId);
    await query("", "select from places where account_id = any($1::uuid[]) for update", [accountIds]);
  },
};

test.each(Object.entries(asking))("a row %s keeps only its account's events waiting", async (_, act) => {
  vi.spyOn(log, "warn").mockImplementation(() => {});
  const accounts = accountsNamed(6);
  const all = await happen(accounts, 4);
  const [held = ""] = accounts.slice(2);
  const { consumer, kept } = recorder(act);
  const run = running(consumer);
  await connected(ownerUrl(), async (other) => {
    await other.query("insert into places select unnest($1::uuid[])", [accounts]);
    await other.query("begin");
    await other.query("select from places where account_id = $1 for update", [held]);
    await untilDone(run);
    expect(await waiting()).toEqual(all.get(held));
    await happen(accounts.slice(0, 1), 1);
    await untilDone(run);
    expect(await waiting(), "others go on").toEqual(all.get(held));
    await other.query("rollback");
  });
  letAMinutePass();
  await untilDone(run);
  expect(await waiting()).toEqual([]);
  expect(kept).toHaveLength(25);
});

test("a consumer is not asked again about an account whose row is held, so that no batch waits for it twice", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => {});
  const [held = "", other = ""] = accountsNamed(2);
  const { consumer, given, kept } = recorder(asking["for which a consumer waits for too long"]);
  const run = running(consumer);
  const asked = () => given.flat().filter(({ accountId }) => accountId === held).length;
  await connected(ownerUrl(), async (holder) => {
    await holder.query("insert into places values ($1)", [held]);
    await holder.query("begin");
    await holder.query("select from places where account_id = $1 for update", [held]);
    await happen([held], 1);
    await untilDone(run);
    expect(asked(), "with all events, and with those that are left").toBe(2);
    const free = (await happen([held, other], 1)).get(other);
    await untilDone(run);
    expect(kept).toEqual(free);
    expect(asked()).toBe(2);
  });
});

test("events that take too long together are consumed by halves", async () => {
  const [accountId = ""] = accountsNamed(1);
  const ids = (await happen([accountId], 8)).get(accountId);
  const { consumer, kept } = recorder(async (query, events) => {
    await query("", "select set_config('statement_timeout', '20ms', true)", []);
    await query("", "select pg_sleep($1::float8)", [events.length > 2 ? 10 : 0]);
  });
  await untilDone(running(consumer));
  expect(kept.toSorted()).toEqual(ids);
});

test("of many consumers at once one acts on each event", async () => {
  const all = [...(await happen(accountsNamed(6), 400)).values()].flat();
  const recorders = Array.from({ length: 4 }, () => recorder());
  await Promise.all(recorders.map(({ consumer }) => untilDone(running(consumer))));
  expect(recorders.flatMap(({ kept }) => kept).toSorted()).toEqual(all.toSorted());
  expect(await waiting()).toEqual([]);
});

test("a consumer that waits for nobody passes over what another is about to act on", async () => {
  const [accountId = ""] = accountsNamed(1);
  const ids = (await happen([accountId], 600)).get(accountId) ?? [];
  const inner = recorder();
  const outer = recorder(async () => {
    if (inner.given.length === 0) await running(inner.consumer)();
  });
  await running(outer.consumer)();
  expect(outer.kept).toEqual(ids.slice(0, 500));
  expect(inner.kept).toEqual(ids.slice(500));
});

test("a crash between acting and the commit undoes all effects, and all events are acted on again", async () => {
  const accounts = accountsNamed(2);
  const all = [...(await happen(accounts, 20)).values()].flat();
  const effect = (query: Query, events: readonly Happened[]) =>
    query("test_effect", "insert into outbox (account_id, event_id) select id, new_id() from unnest($1::uuid[]) id", [
      events.map(({ accountId }) => accountId),
    ]);
  const doomed = recorder(async (query, events) => {
    await effect(query, events);
    await query("", "select pg_terminate_backend(pg_backend_pid())", []);
  });
  const run = running(doomed.consumer);
  await expect(run()).rejects.toThrow();
  expect(await waiting()).toEqual(all.toSorted());
  expect(doomed.kept).toEqual([]);

  const next = recorder();
  await untilDone(running(next.consumer));
  expect(next.kept.toSorted()).toEqual(all.toSorted());
});

/** A consumer whose acts are rows, so that what was rolled back is seen. */
const acting = (name: string, act: (query: Query, events: readonly Happened[]) => unknown = () => {}): Consumer =>
  async function consume(query, events) {
    await act(query, events);
    await query("", "insert into acted select $1, unnest($2::uuid[])", [name, events.map(({ id }) => id)]);
    return undefined;
  };
const actedBy = async (name: string) =>
  (await asOwner(`select event_id as id from acted where consumer = '${name}' order by 1`)).rows.map(({ id }) =>
    String(id),
  );

test.each(["a", "b", "c"])(
  "a consumer that fails holds back no other: where %s of a, b and c does",
  async (failing) => {
    vi.spyOn(log, "warn").mockImplementation(() => {});
    vi.spyOn(log, "error").mockImplementation(() => {});
    const all = [...(await happen(accountsNamed(3), 20)).values()].flat().toSorted();
    let isBroken = true;
    const fails = () => {
      if (isBroken) throw new Error("It cannot be done");
    };
    const consumers = ["a", "b", "c"].map((name) => acting(name, name === failing ? fails : undefined));
    const run = running(...consumers);
    await untilDone(run);
    const others = ["a", "b", "c"].filter((name) => name !== failing);
    for (const name of others) expect(await actedBy(name), name).toEqual(all);
    expect(await actedBy(failing)).toEqual([]);
    expect((await asOwner("select from outbox")).rowCount).toBe(0);
    expect(await waiting(), "each waits once, for it alone").toEqual(all);

    isBroken = false;
    letAMinutePass();
    await untilDone(run);
    for (const name of ["a", "b", "c"]) expect(await actedBy(name), `${name}, once each`).toEqual(all);
    expect(await waiting()).toEqual([]);
  },
);

test("an event that one consumer cannot consume is left for it alone, and the others have it at once", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => {});
  vi.spyOn(log, "error").mockImplementation(() => {});
  const all = [...(await happen(accountsNamed(3), 100)).values()].flat().toSorted();
  const isBad = ({ id }: Happened) => id === all[150];
  const run = running(
    acting("a"),
    acting("b", (_query, events) => {
      if (events.some(isBad)) throw new Error("No row describes this event");
    }),
  );
  await untilDone(run);
  expect(await actedBy("a")).toEqual(all);
  expect(await actedBy("b")).toEqual(all.filter((id) => id !== all[150]));
  expect(await waiting()).toEqual([all[150]]);
});

test("what is left for two consumers waits for each of them alone, and a fault of one stops the other no more", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => {});
  const all = [...(await happen(accountsNamed(2), 20)).values()].flat().toSorted();
  const notYet = () => {
    throw new Error("Not yet");
  };
  const kill = (query: Query) => query("", "select pg_terminate_backend(pg_backend_pid())", []);
  const inTurn =
    (...acts: ((query: Query) => unknown)[]) =>
    (query: Query) =>
      acts.shift()?.(query);
  const run = running(acting("a", inTurn(notYet, kill)), acting("b", inTurn(notYet)));
  await expect(run()).rejects.toThrow();
  expect([await actedBy("a"), await actedBy("b")]).toEqual([[], all]);
  await untilDone(run);
  expect([await actedBy("a"), await actedBy("b")]).toEqual([all, all]);
  expect(await waiting()).toEqual([]);
});

test("a batch waits for a held row for two seconds at most, for all consumers and for one", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => {});
  await happen(accountsNamed(1), 1);
  const limits: unknown[] = [];
  const { consumer } = recorder(async (query) => {
    const [row] = await query<{ within: string }>("", "select current_setting('lock_timeout') as within", []);
    limits.push(row?.within);
    if (limits.length === 1) throw new Error("Not yet");
  });
  await untilDone(running(consumer));
  expect(limits).toEqual(["2s", "2s"]);
});

test.each(["when it is left", "when it catches up"])("a kill %s loses and doubles nothing", async (when) => {
  vi.spyOn(log, "warn").mockImplementation(() => {});
  const all = [...(await happen(accountsNamed(2), 20)).values()].flat().toSorted();
  let calls = 0;
  const killedAt = when === "when it is left" ? 2 : 3;
  const kill = async (query: Query) => {
    calls += 1;
    if (calls === killedAt) await query("", "select pg_terminate_backend(pg_backend_pid())", []);
  };
  let fails = 1;
  const run = running(
    acting("a", kill), // a second time without b
    acting("b", async (query) => {
      if (fails-- > 0) throw new Error("Not yet");
      await kill(query);
    }),
  );
  await expect(untilDone(run)).rejects.toThrow();
  expect(calls).toBe(killedAt);
  await untilDone(run);
  expect(await actedBy("a")).toEqual(all);
  expect(await actedBy("b")).toEqual(all);
  expect(await waiting()).toEqual([]);
});

test("a batch reads its own rows alone, with plans of a short outbox, behind consumed rows and beside many others", async () => {
  const [accountId = "", other = ""] = accountsNamed(2);
  const rowsRead: { outbox: number; events: number }[] = [];
  const { consumer } = recorder(async (query) => {
    const [read] = await query<{ outbox: number; events: number }>("", ROWS_READ, []);
    if (read) rowsRead.push(read);
    await query("", "select pg_stat_force_next_flush()", []); // the counts begin again after the commit
  });
  const run = running(consumer);
  await happen([accountId], 20);
  await asOwner("vacuum analyze outbox, events");
  await run(); // it makes plans for tables of one page
  await happen([accountId, other], 10_000);
  for (let batch = 1; batch <= 8; batch += 1) await run();
  expect(rowsRead).toHaveLength(9);
  for (const { outbox, events } of rowsRead.slice(1)) {
    expect(outbox, "found once, and once by its key").toBeLessThan(1_020);
    expect(events).toBe(500);
  }
});

const ROWS_READ = `select sum((seq_tup_read + idx_tup_fetch) * (relname = 'outbox')::int)::int as outbox,
    sum((seq_tup_read + idx_tup_fetch) * (relname = 'events')::int)::int as events
  from pg_stat_xact_user_tables where relname in ('outbox', 'events')`;
