import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { forAccount, type Query } from "@/lib/db";
import { dueInSets } from "@/lib/due/sets";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";

/** A table of rows that are due, of its own, in a database of its own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  await asOwner(`create table tasks (account_id uuid, id uuid, due_at timestamptz, done int not null default 0,
    primary key (account_id, id))`);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await asOwner("truncate tasks");
});
afterAll(() => drop());

const asOwner = (text: string, values: unknown[] = []) => connected(ownerUrl(), (client) => client.query(text, values));

type Task = { accountId: string; id: string };

/** Writes tasks that are due since so many milliseconds. Returns their ids, the longest due first. */
async function tasks(count: number, accountId = newId(), sinceMs = 60_000): Promise<string[]> {
  const ids = Array.from({ length: count }, newId).sort();
  await asOwner(
    `insert into tasks (account_id, id, due_at)
    select $1, id, now() - $3 * interval '1 millisecond' from unnest($2::uuid[]) id`,
    [accountId, ids, sinceMs],
  );
  return ids;
}

const rows = { table: "tasks", key: { account_id: "uuid", id: "uuid" }, at: "t.due_at" };
const LIMIT = 16;
type Act = (query: Query, some: readonly Task[]) => Promise<unknown>;
const loop = (act: Act = finish) => dueInSets<Task>({ name: "test", rows, limit: LIMIT, act });

const finish: Act = (query, some) =>
  query("", "update tasks set due_at = null, done = done + 1 where id = any($1::uuid[])", [some.map(({ id }) => id)]);

const left = async () =>
  (await asOwner("select id from tasks where done = 0 order by id")).rows.map(({ id }) => String(id));

async function untilDone(run: () => Promise<boolean>) {
  while (await run());
}

test("many loops at once do each row once", async () => {
  await tasks(400);
  await Promise.all(Array.from({ length: 6 }, () => untilDone(loop())));
  const { rows: found } = await asOwner("select done, count(*)::int from tasks group by done");
  expect(found).toEqual([{ done: 1, count: 400 }]);
});

test("a row that always fails is found by halves, left alone for a minute, and stops no other", async () => {
  const report = vi.spyOn(log, "error").mockImplementation(() => {});
  const ids = await tasks(40);
  const bad = ids[21] as string;
  const sizes: number[] = [];
  const run = loop(async (query, some) => {
    sizes.push(some.length);
    await finish(query, some);
    if (some.some(({ id }) => id === bad)) throw new Error("not this one");
  });
  await untilDone(run);
  expect(await left()).toEqual([bad]);
  expect(sizes.length, "it is looked for by halves, not one by one").toBeLessThan(15);
  expect(report.mock.calls).toEqual([[expect.objectContaining({ name: "test", id: bad }), expect.any(String)]]);

  const [more] = await tasks(1);
  const before = sizes.length;
  await untilDone(run);
  expect(sizes.slice(before), "it is not tried again at once").toEqual([1]);
  expect(await left()).not.toContain(more);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 61_000);
  await untilDone(run);
  expect(sizes.length, "it is tried again after a minute").toBeGreaterThan(before + 1);
  await untilDone(loop()); // by a process that can do it
  expect(await left()).toEqual([]);
});

test("what a set did that failed is undone, and a crash in the middle loses and doubles nothing", async () => {
  await tasks(10);
  const doomed = loop(async (query, some) => {
    await finish(query, some);
    await query("", "select pg_terminate_backend(pg_backend_pid())", []);
  });
  await expect(doomed()).rejects.toThrow();
  expect(await left()).toHaveLength(10);
  await untilDone(loop());
  expect((await asOwner("select from tasks where done = 1")).rowCount).toBe(10);
});

test("a set that always takes too long is done by halves, and the next ones are smaller", async () => {
  await tasks(60);
  const now = performance.now.bind(performance);
  let lateMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + lateMs);
  const sizes: number[] = [];
  const run = loop(async (query, some) => {
    sizes.push(some.length);
    if (some.length > 5) {
      lateMs += 30_000; // it would have taken so long
      await query("", "select set_config('statement_timeout', '1ms', true)", []);
      await query("", "select pg_sleep(10)", []);
    }
    await finish(query, some);
  });
  await run();
  expect(sizes, "by halves").toEqual([16, 8, 4, 4, 8, 4, 4]);
  await run();
  await run();
  expect(sizes.slice(7), "the next begin smaller").toEqual([8, 4, 4, 4]);
  await untilDone(run);
  expect(await left()).toEqual([]);
});

test("a row that is locked is left for later, and one that changed before it was locked is looked at again", async () => {
  const ids = await tasks(3);
  await connected(ownerUrl(), async (other) => {
    await other.query("begin");
    await other.query("update tasks set due_at = now() + interval '1 day' where id = $1", [ids[0]]);
    await untilDone(loop());
    expect(await left()).toEqual(ids.slice(0, 1));
    await other.query("commit");
  });
  await untilDone(loop());
  expect(await left()).toEqual(ids.slice(0, 1));
});

test("what is not due any more when a half is locked again is not done", async () => {
  vi.spyOn(log, "error").mockImplementation(() => {});
  const ids = await tasks(4);
  const done: string[] = [];
  let sets = 0;
  const run = loop(async (query, some) => {
    sets += 1;
    await finish(query, some);
    if (sets === 1) throw new Error("the first set fails");
    done.push(...some.map(({ id }) => id));
    if (sets === 2) await asOwner("update tasks set due_at = null where id = $1", [ids[3]]); // somebody else does it
  });
  await untilDone(run);
  expect(done).toEqual(ids.slice(0, 3));
});

test("a clock that runs ahead makes its own account's rows due, and nobody else's", async () => {
  const [ahead, real] = [await makeAccount(), await makeAccount()];
  const set = { clockOffsetMs: 2n * 86_400_000n };
  await forAccount(ahead.accountId, (tx) => tx.account.update({ where: { id: ahead.accountId }, data: set }));
  const tomorrow = -86_400_000;
  const theirs = await tasks(20, ahead.accountId, tomorrow);
  const others = await tasks(3, real.accountId, tomorrow);
  const now = await tasks(2, real.accountId);
  for (const index of ["instants", "open"] as const) {
    const run = dueInSets<Task>({ name: "test", rows: { ...rows, clock: { index } }, limit: LIMIT, act: finish });
    await untilDone(run);
    expect(await left(), index).toEqual(others);
    await asOwner("update tasks set done = 0, due_at = now() + interval '1 day' where id = any($1)", [theirs]);
    await asOwner("update tasks set done = 0, due_at = now() where id = any($1)", [now]);
  }
  const own = dueInSets<Task>({ name: "test", rows: { ...rows, clock: { index: "open" } }, limit: LIMIT, act: finish });
  while (await own(ahead.accountId));
  expect(await left(), "one account's alone").toEqual([...others, ...now].sort());
});

test("the longest due are done first, and a crowd keeps back only what became due after it", async () => {
  await tasks(50, newId(), 60_000);
  const [older] = await tasks(1, newId(), 120_000);
  const [newer] = await tasks(1, newId(), 1_000);
  const order: string[] = [];
  const run = loop(async (query, some) => {
    order.push(...some.map(({ id }) => id));
    await finish(query, some);
  });
  await untilDone(run);
  expect([order.at(0), order.at(-1)]).toEqual([older, newer]);
});

test("while the database is away nothing is left alone", async () => {
  await tasks(3);
  const away = Object.assign(new Error("away"), { code: "57P01" });
  let isAway = true;
  const run = loop(async (query, some) => {
    if (isAway) throw away;
    await finish(query, some);
  });
  await expect(run()).rejects.toBe(away);
  isAway = false;
  await untilDone(run);
  expect(await left()).toEqual([]);
});
