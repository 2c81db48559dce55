import { beforeEach, describe, expect, test } from "vitest";
import { runPrepared } from "@/lib/db";
import { newAlphanumeric } from "@/lib/ids";
import { pauseRequests, type Turn, takeTurn } from "@/lib/outside/budget";

let provider: string;
beforeEach(() => {
  provider = `psp-${newAlphanumeric(8).toLowerCase()}`;
});

const ended = () => AbortSignal.abort();
/** Takes a turn without waiting for one. */
const take = (turn: Turn, perMinute: number | null = 20) => takeTurn({ provider, perMinute, turn, signal: ended() });
/** How many of so many that ask at once get their turn. */
const taken = async (count: number, turn: Turn, perMinute?: number | null) =>
  (await Promise.all(Array.from({ length: count }, () => take(turn, perMinute)))).filter((wait) => wait === 0).length;
const move = (seconds: number) =>
  runPrepared("", "update provider_pauses set paused_at = paused_at - $2 * interval '1 second' where provider = $1", [
    provider,
    seconds,
  ]);

describe("the requests of a minute", () => {
  test("are half for codes, which nothing else takes; codes take a quarter more of what nobody else uses", async () => {
    expect(await taken(30, "question"), "questions").toBe(10);
    expect(await taken(30, "code"), "codes, when all questions were asked").toBe(10);
    expect(await taken(1, "list")).toBe(0);
  });

  test("are never more than the limit, and leave a quarter to questions where codes take all they can", async () => {
    expect(await taken(30, "code"), "codes").toBe(15);
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
    expect(await taken(30, "code")).toBe(11);
  });

  test("say when there is room again, and a question waits for that no longer than its signal lets it", async () => {
    await taken(30, "question");
    const wait = await take("code");
    expect(wait).toBe(0);
    const before = performance.now();
    const told = await takeTurn({ provider, perMinute: 20, turn: "list", signal: AbortSignal.timeout(50) });
    expect(told).toBeGreaterThan(1_000);
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});

describe("a provider that had too many", () => {
  test("is left alone for as long as it says, by all, also where it has no limit", async () => {
    await pauseRequests(provider, 30_000);
    for (const turn of ["code", "question", "list"] as const) {
      expect(await take(turn, null)).toBeGreaterThan(29_000);
      expect(await take(turn)).toBeGreaterThan(29_000);
    }
    await move(31);
    expect([await take("code", null), await take("code")]).toEqual([0, 0]);
  });

  test("and says nothing is left alone for longer and longer, however many were refused at once", async () => {
    const lengths: number[] = [];
    for (let time = 0; time < 8; time += 1) {
      await Promise.all([pauseRequests(provider, undefined), pauseRequests(provider, undefined)]);
      const wait = await take("code", null);
      lengths.push(Math.round(wait / 1_000));
      await move(lengths.at(-1) ?? 0);
    }
    expect(lengths).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    await move(601);
    await pauseRequests(provider, undefined);
    expect(Math.round((await take("code", null)) / 1_000), "anew after a while").toBe(5);
  });
});
