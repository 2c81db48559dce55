import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { claimInTurns, claimsOf, leasesOf, waitOf } from "@/lib/due/claims";
import { newId } from "@/lib/ids";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";

/** A table of rows that are claimed, of its own, in a database of its own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  await asOwner(`create table questions (provider text, id text, kind text not null default 'a', attempts int not null default 0,
      ask_at timestamptz, primary key (provider, id));
    create table letters (id uuid primary key, owner uuid not null, next_at timestamptz, claimed_by uuid,
      claimed_until timestamptz)`);
});
afterEach(() => asOwner("truncate questions, letters"));
afterAll(() => drop());

const asOwner = (text: string, values?: unknown[]) => connected(ownerUrl(), (client) => client.query(text, values));

type Question = { provider: string; id: string; attempts: number };
const questions = claimsOf<Question>({
  name: "test_questions",
  rows: { table: "questions", key: { provider: "text", id: "text" }, at: "ask_at", only: "t.attempts < 20" },
  ...{ leaseMs: 5_000, limit: 10, columns: ", t.attempts", sets: ", attempts = t.attempts + 1" },
  wait: waitOf({ firstMs: 10_000, maxMs: 60_000 }),
  groups: { of: { kind: "text" }, among: "kind" },
});

const ask = (count: number, kind = "a") =>
  asOwner(
    `insert into questions (provider, id, kind, ask_at)
    select 'p', $2 || n, $2, now() - (100 - n) * interval '1 second' from generate_series(1, $1::int) n`,
    [count, kind],
  );
/** In how many seconds each row is due. */
const dueIn = async () =>
  (await asOwner("select extract(epoch from ask_at - now())::float8 as s from questions order by id")).rows.map(
    ({ s }) => s,
  );
const allDue = () => asOwner("update questions set ask_at = now()");

test("of many who claim at the same moment none gets a row that another has, the longest due first", async () => {
  await ask(60);
  const [first] = await questions.claim();
  expect(first).toMatchObject({ provider: "p", id: "a1", attempts: 1 });
  const claims = await Promise.all(Array.from({ length: 8 }, () => questions.claim()));
  const ids = claims.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(20);
});

test("what a process claimed that died is due again when the lease ends, and what it does then changes nothing", async () => {
  await ask(1);
  const dead = await questions.claim();
  expect(await questions.claim()).toEqual([]);
  expect((await dueIn())[0]).toBeCloseTo(5, 0);
  await allDue(); // the lease ends
  const next = await questions.claim();
  expect(next).toMatchObject([{ attempts: 2 }]);
  expect(await questions.renew(dead)).toEqual([]);
  await questions.wait(dead);
  await questions.release(dead);
  expect((await dueIn())[0]).toBeCloseTo(5, 0);
  expect(await questions.renew(next)).toHaveLength(1);
});

test("a renewed claim lasts for the full time again, under its new end alone", async () => {
  await ask(1);
  const claimed = await questions.claim();
  const [renewed] = await questions.renew(claimed);
  expect(renewed).toMatchObject({ provider: "p", id: "a1" });
  await questions.release(claimed);
  expect((await dueIn())[0], "the first end is over").toBeGreaterThan(4);
  await questions.release([{ ...claimed[0], ...renewed } as (typeof claimed)[0]], 60_000);
  expect((await dueIn())[0]).toBeGreaterThan(58);
});

test("work that lasts longer than a claim keeps it, and ends it; what it kept of another's changes nothing", async () => {
  const short = claimsOf<Question>({
    ...{ name: "test_short", rows: { table: "questions", key: { provider: "text", id: "text" }, at: "ask_at" } },
    ...{ leaseMs: 500, limit: 10 },
  });
  const end = short.ending("end", "delete");
  const answer = short.ending<{ grade: number }>("answer", "attempts = grade, ask_at = null", { grade: "int" });
  await ask(3);
  const claimed = await short.claim();
  const { result, kept } = await short.keep(claimed, async () => {
    await asOwner("update questions set ask_at = now(), attempts = 5 where id = 'a3'"); // it is planned anew
    const first = claimed.find(({ id }) => id === "a1")?.leasedUntil;
    const isRenewed = "select ask_at > $1::timestamptz + interval '0.5 seconds' as yes from questions where id = 'a1'";
    await vi.waitFor(async () => expect((await asOwner(isRenewed, [first])).rows).toEqual([{ yes: true }]), 5_000);
    return "done";
  });
  expect(result).toBe("done");
  await end(claimed);
  expect(await dueIn(), "the first ends are over").toHaveLength(3);
  await end(kept.filter(({ id }) => id === "a1"));
  await answer(kept.filter(({ id }) => id !== "a1").map((one) => ({ ...one, grade: 9 })));
  const { rows } = await asOwner("select id, attempts, ask_at is null as over from questions order by id");
  expect(rows).toEqual([
    { id: "a2", attempts: 9, over: true },
    { id: "a3", attempts: 5, over: false },
  ]);
});

test("a row waits longer with each attempt, to a bound, and never all at once", async () => {
  await ask(8);
  const waits: number[][] = [];
  for (const attempts of [1, 2, 30]) {
    await asOwner("update questions set ask_at = now(), attempts = $1 where attempts < 20", [
      Math.min(attempts - 1, 19),
    ]);
    const claimed = await questions.claim();
    await asOwner("update questions set attempts = $1", [attempts]);
    await questions.wait(claimed);
    waits.push(await dueIn());
    await asOwner("update questions set attempts = 0");
  }
  for (const [i, about] of [10, 20, 60].entries()) {
    for (const wait of waits[i] ?? []) {
      expect(wait).toBeGreaterThan(about * 0.9 - 1);
      expect(wait).toBeLessThan(about * 1.1);
    }
    expect(new Set(waits[i]).size).toBeGreaterThan(4);
  }
});

test("what was planned anew while it was asked about is due as it was planned", async () => {
  await ask(1);
  const claimed = await questions.claim();
  await asOwner("update questions set ask_at = now(), attempts = 0");
  await questions.wait(claimed);
  expect(await questions.claim()).toMatchObject([{ attempts: 1 }]);
});

test("a crowd of one kind keeps no other waiting, where a claim is of some kinds", async () => {
  await ask(50, "a");
  await ask(2, "b");
  await ask(2, "c");
  const claimed = await questions.claim(["a", "b", "c"], [{ kind: "c" }]);
  const kinds = claimed.map(({ id }) => id[0]);
  expect([kinds.filter((kind) => kind === "a").length, kinds.filter((kind) => kind === "b").length]).toEqual([10, 2]);
  expect(claimed).toHaveLength(12);
});

test("a row that another transaction has locked is passed over, and its claim is not waited for", async () => {
  await ask(3);
  await connected(ownerUrl(), async (other) => {
    await other.query("begin");
    await other.query("select from questions where id = 'a1' for update");
    expect((await questions.claim()).map(({ id }) => id).toSorted()).toEqual(["a2", "a3"]);
  });
  const [claimed] = await questions.claim();
  expect(claimed?.id).toBe("a1");
});

const letters = {
  ...{
    table: "letters",
    key: { id: "uuid" },
    at: "greatest(t.next_at, t.claimed_until)",
    only: "t.next_at is not null",
  },
  of: ["t.owner"],
} as const;
const leases = leasesOf({
  ...{
    name: "test_letters",
    table: "letters",
    key: letters.key,
    by: "claimed_by",
    until: "claimed_until",
    leaseMs: 8_000,
  },
});
type Letter = { id: string };
const claim = claimInTurns<Letter>({ name: "test_letters", rows: letters, leases, turns: 100, ofEach: 2 });
const write = (owner: string, count: number, inSeconds = 0) =>
  asOwner(
    `insert into letters (id, owner, next_at)
    select gen_random_uuid(), $1, now() + ($3 - 100 + n) * interval '1 second' from generate_series(1, $2::int) n`,
    [owner, count, inSeconds],
  );

test("everybody has a turn before anybody has two, however many rows one has", async () => {
  const [crowd, ...others] = Array.from({ length: 6 }, newId) as [string, ...string[]];
  await write(crowd, 90);
  for (const owner of others) await write(owner, 3, 10);
  const first = await claim(newId(), 6, { served: [], full: [] });
  expect(new Set(first.claimed.map(({ turn }) => turn)).size).toBe(6);
  const { claimed } = await claim(newId(), 2, { served: [crowd, others[0] as string], full: others.slice(1, 4) });
  expect(
    claimed.map(({ turn }) => turn),
    "who was served waits behind who was not, who is full waits",
  ).toEqual(expect.arrayContaining([others[4]]));
});

test("a claim in turns ends with its worker, is renewed and given back by it alone, and says what is due next", async () => {
  const owner = newId();
  await write(owner, 1);
  const [worker, other] = [newId(), newId()];
  const { claimed } = await claim(worker, 10, { served: [], full: [] });
  expect(claimed).toHaveLength(1);
  const none = await claim(other, 10, { served: [], full: [] });
  expect(none.claimed).toEqual([]);
  expect(none.nextMs).toBeGreaterThan(7_000);
  expect(none.nextMs).toBeLessThanOrEqual(8_000);
  await leases.release(other, claimed);
  expect((await claim(other, 10, { served: [], full: [] })).claimed).toEqual([]);
  await leases.renew(worker, claimed);
  await leases.release(worker, claimed);
  expect((await claim(other, 10, { served: [], full: [] })).claimed).toHaveLength(1);
});
