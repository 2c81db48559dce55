import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asSystem, forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { askAbout } from "@/lib/outside/watch";
import type { CrashPoint } from "@/lib/process/crash-points";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import type { Made } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { startProgram } from "@/lib/testing/program";
import { serveRail } from "@/lib/testing/rail";
import { saleOf } from "@/lib/testing/subscriptions";
import { booksOf, fees, lifeOf, openYear, play, SETTLE_DAYS, unmatchedCents } from "@/lib/testing/year";
import { books } from "@/lib/testing/year-books";
import { live } from "@/lib/testing/year-model";
import { people, plans, YEAR } from "@/lib/testing/year-scripts";

let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeEach(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterEach(async () => {
  await rail.close();
  await drop();
});

/** The part of the real worker that subscriptions need. */
const WORKER = `import { completeDuePayments } from "@/lib/deposits/complete";
  import { makeDueCalls } from "@/lib/outside/run";
  import { advanceClocks } from "@/lib/sandbox/run";
  import { subscriptionCalls } from "@/lib/mandates/subscription-calls";
  const works = [() => makeDueCalls(subscriptionCalls), completeDuePayments, advanceClocks];
  for (;;) {
    for (const work of works) while (await work());
    await new Promise((done) => setTimeout(done, 10));
  }`;

/**
 * Where a worker is killed: at a point of the code, or so many milliseconds after it began. Where a call is begun and never
 * made, what happens next depends on whose it is, so that these come first, before the milliseconds, and hit known charges.
 */
const kills: readonly (CrashPoint | number)[] = [
  ...(["cycle.stepping", "call.answered", "cycle.paying", "call.finishing", "call.begun", "call.begun", 900] as const),
  ...(["call.beginning", "cycle.stepping", 1_400, "settle.posting", "call.finished", "cycle.paying"] as const),
  ...(["call.answered", 1_100, "cycle.stepping", "call.finishing", 2_000, "settle.posting", "cycle.paying"] as const),
];

/** Runs one worker after the other, each until it is killed. Returns what ends them, and how many were killed. */
function runWorkers() {
  let killed = 0;
  let isOver = false;
  async function run() {
    for (const where of [...kills, null]) {
      if (isOver) return;
      const program = await startProgram(WORKER, typeof where === "string" ? { CRASH_AT: where } : {});
      const { child } = program;
      const timer = typeof where === "number" ? setTimeout(() => child.kill("SIGKILL"), where) : undefined;
      stop = () => program.kill();
      await program.ended();
      clearTimeout(timer);
      if (isOver) return;
      expect(child.signalCode, `the worker ended by itself: ${program.printed()}`).toBe("SIGKILL");
      killed += 1;
      await letTimePass();
    }
  }
  let stop = async () => {};
  const running = run();
  const end = async () => {
    isOver = true;
    await stop();
    await running;
  };
  return { end, killed: () => killed, running };
}

/** What a worker had is free for the next one, and a call that was never sent is known to be lost. */
const letTimePass = () =>
  asSystem(async (tx) => {
    await tx.$executeRaw`update clock_advances set claimed_until = now() where done_at is null`;
    await tx.$executeRaw`update calls set sent_at = sent_at - interval '16 minutes', asked_at = asked_at - interval '16 minutes', due_at = now()
      where done_at is null`;
    await tx.$executeRaw`update watches set ask_at = now() where ask_at is not null`;
  });

const patiently = { timeout: 60_000, interval: 25 };

/** People and the clock, while the workers do all the rest. */
const world = ({ accountId }: Made) => ({
  async advance(target: Date) {
    const id = newId();
    await forAccount(accountId, (tx) => tx.clockAdvance.create({ data: { accountId, id, target } }));
    const advanced = () => forAccount(accountId, (tx) => tx.clockAdvance.findFirstOrThrow({ where: { id } }));
    await vi.waitFor(async () => expect((await advanced()).doneAt).not.toBeNull(), patiently);
  },

  async payCode(_: Made, id: string) {
    const sale = await saleOf(accountId, id);
    const receipt = await railFor("sandbox")?.pay?.({ code: sale.pixCode ?? "" });
    const endToEndId = receipt?.endToEndId ?? "";
    await askAbout("payment", "simulator", [{ id: endToEndId }]);
    const isDone = async () =>
      (await saleOf(accountId, id)).endToEndId === endToEndId ||
      (await asSystem((tx) => tx.unmatchedReceipt.count({ where: { endToEndId } }))) > 0;
    await vi.waitFor(async () => expect(await isDone()).toBe(true), patiently);
  },

  async askAll() {
    const waiting = () => asSystem((tx) => tx.call.count({ where: { doneAt: null } }));
    await vi.waitFor(async () => expect(await waiting()).toBe(0), patiently);
  },
});

/** A charge that was begun and never sent is made again, and its attempt is told of again. */
const toldOnce = (events: readonly string[]) => events.filter((event, place) => event !== events[place - 1]);
/** The kills that can leave such a charge behind. */
const mayTellAgain = kills.filter((where) => where === "call.begun" || typeof where === "number").length;

test("a worker that is killed twenty times on the way bills what the rules say, to the event and to the cent", {
  timeout: 600_000,
}, async () => {
  const year = await openYear(plans);
  const workers = runWorkers();
  const { tokens, refused } = await Promise.race([
    play(year, people, YEAR, world(year.made)),
    workers.running.then(() => Promise.reject(new Error("no worker is left"))),
  ]);
  await workers.end();

  expect(workers.killed()).toBe(kills.length);
  const lives = Object.entries(people).map(([name, script]) => ({ name, ...live(script, plans, YEAR) }));
  let toldAgain = 0;
  for (const { name, unmatched, ...life } of lives) {
    const got = { ...(await lifeOf(year, tokens[name] ?? "")), refused: refused[name] ?? [] };
    expect({ ...got, events: toldOnce(got.events) }, name).toEqual({ ...life, events: toldOnce(life.events) });
    toldAgain += got.events.length - life.events.length;
  }
  expect(toldAgain).toBeLessThanOrEqual(mayTellAgain);
  const sales = lives.flatMap((life) => life.sales);
  expect(await booksOf(year)).toEqual(books(sales, plans, fees, SETTLE_DAYS, YEAR));
  expect(await unmatchedCents()).toBe(lives.flatMap((life) => life.unmatched).reduce((sum, one) => sum + one, 0));
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
});
