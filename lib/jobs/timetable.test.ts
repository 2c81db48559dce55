import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { startTimetable, type Timetable } from "@/lib/jobs/timetable";
import { log } from "@/lib/log";
import { connected, openOwnDatabase, ownerUrl, reconnectAt } from "@/lib/testing/own-database";

/** A timetable's jobs are the only rows of their table. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await asOwner("delete from timed_jobs");
});
afterAll(() => drop());

const asOwner = async (text: string, values: unknown[] = []) =>
  (await connected(ownerUrl(), (client) => client.query(text, values))).rows;

/** Writes jobs that are due since so long, or in so long. */
const write = (names: readonly string[], since: string) =>
  asOwner("insert into timed_jobs (name, due_at) select name, now() - $2::interval from unnest($1::text[]) name", [
    names,
    since,
  ]);

const DAILY = { everyMs: 86_400_000, from: "06:00" } as const;

/** Starts workers with this timetable. Returns what stops them, which the test's end does too. */
function start(timetable: Timetable, workers = 1) {
  const failures: unknown[] = [];
  const stops = Array.from({ length: workers }, () => startTimetable(timetable)((error) => void failures.push(error)));
  const stop = () => Promise.all(stops.map((one) => one()));
  onTestFinished(async () => {
    await stop();
    expect(failures).toEqual([]);
  });
  return stop;
}

/** Of each job, in how many seconds it is due, and how often it was tried. */
const rows = () =>
  asOwner(`select name, extract(epoch from due_at - now())::float8 as in, attempts, claimed_by as "claimedBy"
    from timed_jobs order by name`) as Promise<
    { name: string; in: number; attempts: number; claimedBy: string | null }[]
  >;

/** A job that counts its runs, each of which takes so long. */
function counting(name: string, tookMs = 0) {
  const runs: number[] = [];
  const run = async () => {
    runs.push(performance.now());
    await sleep(tookMs);
  };
  return { runs, job: { name, ...DAILY, run } };
}

test("each job has a row, due at its next time in UTC, whatever the zone of a session", async () => {
  const never = async () => expect.unreachable();
  const hourly = { name: "hourly", everyMs: 3_600_000, from: "00:20", run: never } as const;
  await asOwner(`alter database ${new URL(ownerUrl()).pathname.slice(1)} set timezone = 'Asia/Kathmandu'`);
  await reconnectAt(env.DATABASE_PROGRAM_URL);
  const stop = start([hourly, { name: "daily", ...DAILY, run: never }]);
  await vi.waitFor(async () => expect(await rows()).toHaveLength(2));
  await stop();
  const found = await asOwner(`select to_char(due_at at time zone 'utc', 'HH24:MI:SS.US') as at,
      due_at > now() as ahead, due_at <= now() + interval '1 day' as first from timed_jobs order by name`);
  expect(found).toEqual([
    { at: "06:00:00.000000", ahead: true, first: true },
    { at: expect.stringMatching(/^\d\d:20:00\.000000$/), ahead: true, first: true },
  ]);
  expect((await rows())[1]?.in).toBeLessThanOrEqual(3_600);
});

test("of many workers that look at once, one runs a job that is due, and it has its next time then", async () => {
  await write(["once"], "1 second");
  const { runs, job } = counting("once", 300);
  start([job], 6);
  await vi.waitFor(async () => expect((await rows())[0]?.in).toBeGreaterThan(60));
  await sleep(500);
  expect(runs).toHaveLength(1);
  expect(await rows()).toMatchObject([{ attempts: 0, claimedBy: null }]);
});

test("a job that takes longer than a claim is still run once, though others look", { timeout: 30_000 }, async () => {
  await write(["long"], "1 second");
  const { runs, job } = counting("long", 12_000);
  start([job], 3);
  await sleep(11_000);
  expect(await rows()).toMatchObject([{ attempts: 1, claimedBy: expect.any(String) }]);
  expect((await rows())[0]?.in, "if it died, another one would run it within 10 s").toBeLessThanOrEqual(8);
  await vi.waitFor(async () => expect((await rows())[0]?.in).toBeGreaterThan(60), 5_000);
  expect(runs).toHaveLength(1);
});

test("after days without a worker each missed job is run once, at its next time again", async () => {
  const jobs = ["a", "b", "c"].map((name) => counting(name));
  await write(["a", "b", "c"], "5 days");
  start(
    jobs.map(({ job }) => job),
    2,
  );
  await vi.waitFor(async () => {
    for (const one of await rows()) expect(one.in).toBeGreaterThan(60);
  });
  await sleep(500);
  expect(jobs.map(({ runs }) => runs.length)).toEqual([1, 1, 1]);
  for (const one of await rows()) expect(one.in).toBeLessThanOrEqual(86_400);
});

test("a job that throws is run again after longer and longer pauses, reported each time, and stops no other", async () => {
  const report = vi.spyOn(log, "error").mockImplementation(() => {});
  await write(["bad", "good"], "1 second");
  const good = counting("good");
  let isBad = true;
  const run = async () => {
    if (isBad) throw new Error("not today");
  };
  start([{ name: "bad", ...DAILY, run }, good.job], 2);
  const bad = async () => (await rows())[0];
  for (const [attempt, about] of [10, 20, 40].entries()) {
    await vi.waitFor(async () => expect(await bad()).toMatchObject({ attempts: attempt + 1, claimedBy: null }), 8_000);
    expect(report.mock.calls).toHaveLength(attempt + 1);
    const wait = (await bad())?.in ?? 0;
    expect(wait).toBeGreaterThan(about * 0.9 - 2);
    expect(wait).toBeLessThan(about * 1.1);
    if (about === 40) isBad = false;
    await asOwner("update timed_jobs set due_at = now() where name = 'bad'");
  }
  expect(report.mock.calls[0]).toEqual([{ name: "bad", error: expect.any(Error) }, expect.any(String)]);
  await vi.waitFor(async () => expect((await bad())?.in).toBeGreaterThan(60), 8_000);
  expect(await bad()).toMatchObject({ attempts: 0 });
  expect(good.runs).toHaveLength(1);
});

test("a job that hangs counts as failed after four hours, and is run again", async () => {
  const report = vi.spyOn(log, "error").mockImplementation(() => {});
  const FOUR_HOURS = 4 * 3_600_000;
  const { setTimeout: real } = globalThis;
  // These four hours are over at once; whatever else waits does so for as long as it asked.
  const sooner = (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
    real(run, ms === FOUR_HOURS ? 0 : ms, ...given);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(sooner as typeof setTimeout);
  await write(["hanging"], "1 second");
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 1) await new Promise(() => {});
  };
  start([{ name: "hanging", ...DAILY, run }]);
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ attempts: 1, claimedBy: null }]), 8_000);
  const error = expect.objectContaining({ name: "TimeoutError" });
  expect(report.mock.calls).toEqual([[{ name: "hanging", error }, expect.any(String)]]);
  await asOwner("update timed_jobs set due_at = now()");
  await vi.waitFor(async () => expect((await rows())[0]?.in).toBeGreaterThan(60), 8_000);
  expect(runs).toBe(2);
});

test("what a dead worker held is run by another when its claim ends", { timeout: 30_000 }, async () => {
  await write(["held"], "-4 seconds");
  await asOwner("update timed_jobs set claimed_by = $1, attempts = 1", [newId()]);
  const { runs, job } = counting("held");
  start([job]);
  await sleep(1_000);
  expect(runs).toEqual([]);
  await vi.waitFor(() => expect(runs).toHaveLength(1), 12_000);
});

test("whoever lost its claim to another changes nothing when it ends", async () => {
  await write(["lost"], "1 second");
  const other = newId();
  const run = () => asOwner("update timed_jobs set claimed_by = $1, due_at = now() + interval '7 seconds'", [other]);
  start([{ name: "lost", ...DAILY, run }]);
  await vi.waitFor(async () => expect((await rows())[0]?.claimedBy).toBe(other));
  await sleep(500);
  const [row] = await rows();
  expect(row).toMatchObject({ claimedBy: other, attempts: 1 });
  expect(row?.in).toBeLessThan(8);
});

test("a stop cuts off a job that takes long, which is due for another worker at once", async () => {
  await write(["long"], "1 second");
  const { runs, job } = counting("long", 60_000);
  const stop = start([job]);
  await vi.waitFor(() => expect(runs).toHaveLength(1));
  const began = performance.now();
  await stop();
  expect(performance.now() - began).toBeLessThan(4_000);
  expect((await rows())[0]?.in).toBeLessThanOrEqual(0);
});

test("a start takes over changed times and forgets jobs that are gone, but nothing that is due or is repeated", async () => {
  await write(["changed", "gone"], "-3 days");
  await write(["due"], "2 hours");
  await write(["failed"], "-2 days");
  await asOwner("update timed_jobs set attempts = 3 where name = 'failed'");
  const [changed, due, failed] = ["changed", "due", "failed"].map((name) => counting(name)) as [Job, Job, Job];
  type Job = ReturnType<typeof counting>;
  start([changed.job, due.job, failed.job, counting("made").job]);
  await vi.waitFor(() => expect(due.runs).toHaveLength(1));
  await vi.waitFor(async () => expect((await rows())[1]?.in).toBeGreaterThan(60));
  const found = await rows();
  expect(found.map(({ name }) => name)).toEqual(["changed", "due", "failed", "made"]);
  const next = found[3]?.in ?? 0;
  expect([found[0]?.in, found[1]?.in]).toEqual([expect.closeTo(next, 3), expect.closeTo(next, 3)]);
  expect(found[2]).toMatchObject({ in: expect.closeTo(2 * 86_400, -2), attempts: 3 });
  expect([changed.runs, failed.runs]).toEqual([[], []]);
});
