import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { runPrepared } from "@/lib/db";
import { newAlphanumeric, newId } from "@/lib/ids";
import { pauseRequests, type Turn, takeTurn } from "@/lib/outside/budget";

let provider: string;
beforeEach(() => {
  provider = `psp-${newAlphanumeric(8).toLowerCase()}`;
});

const ended = () => AbortSignal.abort();
/** A turn for a code of an account that has none yet, where none is named. */
const code = (codeOf = newId()): Turn => ({ codeOf });
/** Takes a turn without waiting for one. */
const take = (turn: Turn, perMinute: number | null = 20) => takeTurn({ provider, perMinute, turn, signal: ended() });
/** How many of so many that ask at once get their turn. */
const taken = async (count: number, turn: Turn | (() => Turn), perMinute?: number | null) => {
  const turns = Array.from({ length: count }, () => (typeof turn === "function" ? turn() : turn));
  return (await Promise.all(turns.map((one) => take(one, perMinute)))).filter((wait) => wait === 0).length;
};
const move = (seconds: number) =>
  runPrepared("", "update provider_pauses set paused_at = paused_at - $2 * interval '1 second' where provider = $1", [
    provider,
    seconds,
  ]);

describe("the requests of a minute", () => {
  test("are half for codes, which nothing else takes; codes take a quarter more of what nobody else uses", async () => {
    expect(await taken(30, "question"), "questions").toBe(10);
    expect(await taken(30, code), "codes, when all questions were asked").toBe(10);
    expect(await taken(1, "list")).toBe(0);
  });

  test("are never more than the limit, and leave a quarter to questions where codes take all they can", async () => {
    expect(await taken(30, code), "codes").toBe(15);
    expect(await taken(30, "question"), "questions").toBe(5);
  });

  test("are for lists a quarter at most, so that a long one leaves room to questions; all others may be questions", async () => {
    expect(await taken(30, "list"), "lists").toBe(5);
    expect(await taken(30, "question"), "questions").toBe(5);
    const wait = await take("list");
    expect(wait, "and a list waits for its own").toBeGreaterThan(1_000);
  });

  test("are counted exactly by several processes, which share them by the database", async () => {
    const text = "select granted from take_slots($1, 10, 4)";
    await runPrepared("", text, [`provider-codes:${provider}`]); // what another process took
    expect(await taken(30, code)).toBe(11);
  });

  test("say when there is room again, and a question waits for that no longer than its signal lets it", async () => {
    await taken(30, "question");
    const wait = await take(code());
    expect(wait).toBe(0);
    const before = performance.now();
    const told = await takeTurn({ provider, perMinute: 20, turn: "list", signal: AbortSignal.timeout(50) });
    expect(told).toBeGreaterThan(1_000);
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});

describe("the codes of a minute", () => {
  /** Of forty requests, thirty may be for codes while nobody asks questions. */
  const [PER_MINUTE, CODES] = [40, 30];
  const takeCodes = (count: number, account?: string) =>
    taken(count, account ? code(account) : () => code(), PER_MINUTE);

  test("are for an account that is alone three quarters, so that the next one finds some at once", async () => {
    const greedy = newId();
    expect(await takeCodes(100, greedy)).toBe(23);
    expect(await takeCodes(100, greedy), "however often it asks").toBe(0);
    expect(await takeCodes(5, newId()), "all that a quiet one asks for").toBe(5);
    expect(await takeCodes(1, greedy)).toBe(0);
  });

  test("are for two that ask at once three sevenths each, and the next ones find one each while any is free", async () => {
    const two = [newId(), newId()];
    expect(await Promise.all(two.map((account) => takeCodes(60, account)))).toEqual([13, 13]);
    expect(await takeCodes(10)).toBe(4);
  });

  test("are one each for a hundred accounts that ask at once, as many as there are, and never two where another has none", async () => {
    const accounts = Array.from({ length: 100 }, () => newId());
    const granted = await Promise.all(accounts.map((account) => takeCodes(2, account)));
    expect(granted.filter((count) => count === 1)).toHaveLength(CODES);
    expect(granted.filter((count) => count > 1)).toEqual([]);
  });

  test("that an account has no share of cost nothing: not of the minute, and no row of an account that got none", async () => {
    const rows = () =>
      runPrepared<{ key: string; count: number }>(
        "",
        "select key, earlier + taken as count from rate_limits where key like $1 order by key",
        [`provider-%:${provider}%`],
      );
    const greedy = newId();
    await takeCodes(100, greedy);
    const before = await rows();
    await takeCodes(100, greedy);
    expect(await rows()).toEqual(before);
    await takeCodes(CODES);
    const full = await rows();
    await takeCodes(50);
    expect(await rows()).toEqual(full);
    expect(full.filter(({ key }) => key.startsWith("provider-account:"))).toHaveLength(1 + CODES - 23);
  });

  test("are shared exactly by processes that take at once, also of what is lent", async () => {
    const [greedy, quiet] = [newId(), newId()];
    const text = "select granted from take_fair_slots($1, $2::int, $3, $4::int, 3, $5::text[], $6::int[])";
    const anotherProcess = runPrepared<{ granted: number[] }>("", text, [
      ...[`provider-codes:${provider}`, 20, `provider-others:${provider}`, 10],
      ...[[greedy, quiet].map((account) => `provider-account:${provider}:${account}`), [20, 10]],
    ]);
    const ours = await Promise.all([takeCodes(20, greedy), takeCodes(10, quiet)]);
    const theirs = (await anotherProcess)[0]?.granted ?? [];
    const both = ours.map((count, at) => count + (theirs[at] ?? 0));
    expect(both, "whichever process is first").toEqual([15, 12]);
    const free = CODES - 15 - 12;
    expect(await takeCodes(CODES), "all that is left").toBe(free);
    expect(await taken(30, "question", PER_MINUTE), "and what was lent is of the questions").toBe(10);
  });

  test("are refused for as long as the account's own last, or where none is free, until the first one goes", async () => {
    const greedy = newId();
    await takeCodes(CODES, greedy);
    await runPrepared(
      "",
      "update rate_limits set second = second - 20, hits = '{}' where key like $1 and key not like '%others%'",
      [`provider-%:${provider}%`],
    );
    await takeCodes(CODES);
    const waits = [await take(code(greedy), PER_MINUTE), await take(code(), PER_MINUTE)];
    for (const wait of waits) {
      expect(wait).toBeGreaterThan(37_000);
      expect(wait).toBeLessThanOrEqual(41_000);
    }
  });

  test("whatever anybody asks for: who is refused holds three times what is free or more, and who gets one held less", async () => {
    const asks = fc.array(fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 12 });
    const property = fc.asyncProperty(asks, fc.integer({ min: 1, max: 60 }), async (steps, perMinute) => {
      provider = `psp-${newAlphanumeric(8).toLowerCase()}`;
      const accounts = Array.from({ length: 5 }, () => newId());
      const held = accounts.map(() => 0);
      let free = Math.ceil(perMinute / 2) + Math.floor(Math.floor(perMinute / 2) / 2);
      for (const [at, count] of steps) {
        let expected = 0;
        for (; expected < count && (held[at] ?? 0) + expected < 3 * (free - expected); ) expected += 1;
        expect(await taken(count, code(accounts[at]), perMinute)).toBe(expected);
        held[at] = (held[at] ?? 0) + expected;
        free -= expected;
      }
    });
    await fc.assert(property, { numRuns: 20 });
  });
});

describe("a provider that had too many", () => {
  test("is left alone for as long as it says, by all, also where it has no limit", async () => {
    await pauseRequests(provider, 30_000);
    for (const turn of [code(), "question", "list"] as const) {
      expect(await take(turn, null)).toBeGreaterThan(29_000);
      expect(await take(turn)).toBeGreaterThan(29_000);
    }
    await move(31);
    expect([await take(code(), null), await take(code())]).toEqual([0, 0]);
  });

  test("and says nothing is left alone for longer and longer, however many were refused at once", async () => {
    const lengths: number[] = [];
    for (let time = 0; time < 8; time += 1) {
      await Promise.all([pauseRequests(provider, undefined), pauseRequests(provider, undefined)]);
      const wait = await take(code(), null);
      lengths.push(Math.round(wait / 1_000));
      await move(lengths.at(-1) ?? 0);
    }
    expect(lengths).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    await move(601);
    await pauseRequests(provider, undefined);
    expect(Math.round((await take(code(), null)) / 1_000), "anew after a while").toBe(5);
  });
});
