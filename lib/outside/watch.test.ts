import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { runPrepared, transactionFor } from "@/lib/db";
import { room, storeCallbacks } from "@/lib/outside/inbox";
import { askAbout, askDue, readEach, type WatchKind, watch, watchLoop, writeEach } from "@/lib/outside/watch";
import { openOwnDatabase } from "@/lib/testing/own-database";

/** Claims take whatever is due in the database. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

/** A provider's own records of what it pays out, and what our noun learned. */
type Payout = { id: string; status: "sent" | "paid" };
const records = new Map<string, Payout>();
const learned: string[] = [];
const silent: { provider?: string; until?: Promise<void> } = {};

/** All that a new kind of what may change by itself costs: this row, and what its noun does. */
const payout: WatchKind<Payout> = {
  name: "payout",
  read: readEach(async (provider, id) => {
    if (provider === silent.provider) await silent.until;
    return records.get(id) ?? null;
  }),
  write: writeEach(finishPayout),
};

async function finishPayout(_: string, { id, status }: Payout) {
  learned.push(`${id} ${status}`);
  if (id === "poisonous") throw new Error("it cannot be written");
  return status === "paid" ? "over" : "open";
}

beforeEach(async () => {
  await runPrepared("", "delete from watches", []);
  records.clear();
  learned.length = 0;
  for (const key of ["provider", "until"] as const) delete silent[key];
});

const ask = () => askDue([payout]);
const made = (id: string, status: Payout["status"] = "sent") => records.set(id, { id, status });
const callBack = (eventId: string, id = "p1", provider = "psp") =>
  storeCallbacks(provider, [{ eventId: `${eventId} ${crypto.randomUUID()}`, kind: "payout", id, payload: {} }]);
const watchFrom = (askAt: Date, id = "p1") => transactionFor("", (query) => watch(query, "payout", "psp", [id], askAt));
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
/** In how many seconds each watch is due, by the id; null for one that is asked about no more. */
async function waits(): Promise<Record<string, number | null>> {
  const text = "select id, round(extract(epoch from ask_at - now()))::int as wait from watches";
  const rows = await runPrepared<{ id: string; wait: number | null }>("", text, []);
  return Object.fromEntries(rows.map(({ id, wait }) => [id, wait]));
}
const set = (changes: string) => runPrepared("", `update watches set ${changes}`, []);

describe("a made-up kind", () => {
  test("is woken by a callback, and its end is the provider's record, not the callback", async () => {
    await watchFrom(inHours(1));
    made("p1");
    await ask();
    expect(learned, "not due yet").toEqual([]);
    await callBack("paid, it says");
    await ask();
    expect(learned).toEqual(["p1 sent"]);
    expect((await waits()).p1, "its own time stays").toBeGreaterThan(3_500);
    made("p1", "paid");
    await callBack("paid again");
    await ask();
    expect([learned, await waits()]).toEqual([["p1 sent", "p1 paid"], {}]);
  });

  test("is asked about by the clock where the callback is lost", async () => {
    made("p1", "paid");
    await watchFrom(new Date());
    await ask();
    expect([learned, await waits()]).toEqual([["p1 paid"], {}]);
  });

  test("that a callback reports before our own record is written is asked about again", async () => {
    await callBack("early");
    await ask();
    expect(learned).toEqual([]);
    made("p1", "paid");
    await set("ask_at = now()");
    await ask();
    expect([learned, await waits()]).toEqual([["p1 paid"], {}]);
  });
});

describe("what the provider answers", () => {
  test("goes on as long as it was watched, a day at most; what a callback alone began ends with the answer", async () => {
    made("p1");
    made("p2");
    await watchFrom(new Date());
    await callBack("another", "p2");
    await ask();
    expect(await waits()).toEqual({ p1: 5 });
    for (const [since, wait] of [
      ["3 hours", 3 * 3_600],
      ["9 days", 86_400],
    ] as const) {
      await set(`since = now() - interval '${since}', ask_at = now()`);
      await ask();
      expect((await waits()).p1).toBe(wait);
    }
  });

  test("not at all: after 5 s, 10 s, … and longer; without an end a day at last, after a callback for a week", async () => {
    await watchFrom(new Date());
    await callBack("unknown", "p2");
    const seen: unknown[] = [];
    for (let time = 0; time < 17; time += 1) {
      await ask();
      const { p1, p2 } = await waits();
      seen.push([p1, p2]);
      await set("ask_at = now()");
    }
    const doubled = Array.from({ length: 17 }, (_, time) => 5 * 2 ** Math.min(time, 15));
    expect(seen).toEqual(doubled.map((wait) => [Math.min(wait, 86_400), Math.min(wait, 3_600)]));
    await set("ends_at = now() - interval '1 second' where ends_at is not null");
    await ask();
    expect(await waits()).toEqual({ p1: 86_400, p2: null });
    await askAbout("payout", "psp", [{ id: "p2" }, { id: "p1" }]);
    expect((await waits()).p2).toBe(0);
  });

  test("is written for all but the poisonous one, which waits", async () => {
    for (const id of ["p1", "poisonous", "p3"]) {
      made(id, "paid");
      await callBack("paid", id);
    }
    await ask();
    expect(learned.sort()).toEqual(["p1 paid", "p3 paid", "poisonous paid"]);
    expect(await waits()).toEqual({ poisonous: 5 });
  });
});

describe("a callback that comes while the provider is asked", () => {
  /** Runs work while a question that had the old answer is under way. */
  async function whileAsked(work: () => Promise<unknown>) {
    let answer = () => {};
    Object.assign(silent, { provider: "psp", until: new Promise<void>((resolve) => (answer = resolve)) });
    const old = made("p1").get("p1") as Payout;
    const asking = askDue([{ ...payout, read: async () => silent.until?.then(() => new Map([["p1", old]])) as never }]);
    await vi.waitFor(async () => expect((await waits()).p1).toBeGreaterThan(0));
    await work();
    answer();
    await asking;
    delete silent.provider;
  }

  test("asks once more, because the answer may be older", async () => {
    await callBack("sent");
    await whileAsked(async () => {
      made("p1", "paid");
      await callBack("paid");
    });
    expect(learned).toEqual(["p1 sent"]);
    await ask();
    expect([learned, await waits()]).toEqual([["p1 sent", "p1 paid"], {}]);
  });

  test("is not asked about by another process meanwhile, however long the question lasts", async () => {
    const dueAt = async () =>
      (await runPrepared<{ at: string }>("", "select ask_at::text as at from watches", []))[0]?.at;
    await callBack("sent");
    await whileAsked(async () => {
      const first = await dueAt();
      await vi.waitFor(async () => expect(await dueAt(), "the claim is renewed").not.toBe(first), { timeout: 5_000 });
    });
    expect([learned, await waits()]).toEqual([["p1 sent"], {}]);
  });

  test("asks nothing more where it only repeats another", async () => {
    const repeated = () => storeCallbacks("psp", [{ eventId: "the same", kind: "payout", id: "p1", payload: {} }]);
    await repeated();
    await whileAsked(repeated);
    expect([learned, await waits()]).toEqual([["p1 sent"], {}]);
  });
});

describe("a silent provider", () => {
  const loop = watchLoop([payout]);
  /** What is due at two providers, of which one does not answer until the returned function is called. */
  async function oneIsSilent() {
    let answer = () => {};
    Object.assign(silent, { provider: "silent", until: new Promise<void>((resolve) => (answer = resolve)) });
    for (let nth = 0; nth < 120; nth += 1) {
      made(`s${nth}`, "paid");
      await askAbout("payout", "silent", [{ id: `s${nth}` }]);
    }
    made("p1", "paid");
    await callBack("paid");
    return answer;
  }

  test("holds up no other, is not asked twice at once, and is followed once it answers", async () => {
    const answer = await oneIsSilent();
    expect(await loop(), "the loop goes on").toBe(false);
    expect(learned).toEqual(["p1 paid"]);
    await set("ask_at = now()");
    made("p2", "paid");
    await callBack("paid", "p2");
    await loop();
    expect(learned).toEqual(["p1 paid", "p2 paid"]);
    answer();
    await vi.waitFor(() => expect(learned).toHaveLength(102));
    await vi.waitFor(async () => {
      await loop();
      expect(await waits()).toEqual({});
    });
    expect(new Set(learned).size).toBe(122);
  });
});

test("a hundred records are asked about ten at once, and two workers ask about each once", async () => {
  let [now, most] = [0, 0];
  const counted: WatchKind<Payout> = {
    ...payout,
    read: readEach(async (_, id) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      return { id, status: "paid" };
    }),
  };
  await askAbout(
    "payout",
    "psp",
    Array.from({ length: 101 }, (_, nth) => ({ id: `p${nth}` })),
  );
  expect(await askDue([counted]), "more are due").toBe(true);
  expect([most, learned.length]).toEqual([10, 100]);
  expect(await Promise.all([askDue([counted]), askDue([counted])])).toEqual([false, false]);
  expect([new Set(learned).size, learned.length, await waits()]).toEqual([101, 101, {}]);
});

test("who names what the provider does not know begins no more watches than there is room for; what is watched is woken", async () => {
  const given = (id: string) => ({ eventId: `told_${id}`, kind: "payout", id, payload: {} });
  const watched = () =>
    runPrepared<{ id: string }>(
      "",
      "select id from watches where provider = 'full' and ask_at <= now() order by id",
      [],
    );
  await runPrepared(
    "",
    `insert into watches (provider, kind, id, ask_at, ends_at, unanswered_since)
     select 'full', 'payout', 'made-up-' || n, now() + interval '1 hour', now() + interval '7 days', now()
     from generate_series(1, $1::int) n`,
    [room.unanswered + 1],
  );
  await transactionFor([], (query) => watch(query, "payout", "full", ["ours"], new Date(Date.now() + 3_600_000)));
  await storeCallbacks("full", [given("another"), given("ours")]);
  expect(await watched()).toEqual([{ id: "ours" }]);
  await storeCallbacks("roomy", [given("another")]);
  const found = await runPrepared("", "select from watches where provider = 'roomy'", []);
  expect(found, "another provider has its own room").toHaveLength(1);
});
