import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { cycleCode } from "@/lib/billing/code-call";
import { makeDueCalls } from "@/lib/outside/run";
import { reconcile } from "@/lib/reconcile/reconcile";
import { replaceCodes, simulatedCodes } from "@/lib/testing/code-rail";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { advance, chargeCards, orderDebits, payCode } from "@/lib/testing/subscriptions";
import { booksOf, fees, lifeOf, openYear, play, SETTLE_DAYS, unmatchedCents } from "@/lib/testing/year";
import { books } from "@/lib/testing/year-books";
import { live } from "@/lib/testing/year-model";
import { people, plans, randomPeople, type Script, YEAR } from "@/lib/testing/year-scripts";

/** The platform's fees and reconcile() are of all accounts, so each test has a database of its own. */
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

/** Plays scripts with the program and with the model, and compares all that both made of them. */
async function compare(scripts: Readonly<Record<string, Script>>, until: number) {
  const year = await openYear(plans);
  const { tokens, refused } = await play(year, scripts, until, {
    advance: (to) => advance(year.made, to),
    payCode,
    async askAll() {
      await chargeCards(year.made.accountId);
      await makeDueCalls([cycleCode], year.made.accountId);
      while (await orderDebits(year.made.accountId));
    },
  });
  const lives = Object.entries(scripts).map(([name, script]) => ({ name, ...live(script, plans, until) }));
  for (const { name, unmatched, ...life } of lives) {
    expect({ ...(await lifeOf(year, tokens[name] ?? "")), refused: refused[name] ?? [] }, name).toEqual(life);
  }
  const sales = lives.flatMap((life) => life.sales);
  expect(await booksOf(year)).toEqual(books(sales, plans, fees, SETTLE_DAYS, until));
  expect(await unmatchedCents()).toBe(lives.flatMap((life) => life.unmatched).reduce((sum, one) => sum + one, 0));
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
}

test(
  "four hundred days of twenty-eight people give what the rules say, to the event and to the cent",
  {
    timeout: 600_000,
  },
  () => compare(people, YEAR),
);

const SEED = Number(process.env.YEAR_SEED ?? 7);

test("where the rail makes every code, people live as where codes are issued at once", {
  timeout: 600_000,
}, () => {
  onTestFinished(replaceCodes(simulatedCodes()));
  return compare(randomPeople(11, 8, 40), 40);
});

test(
  "people who do anything at any time give what the rules say, to the event and to the cent",
  {
    timeout: 600_000,
  },
  () => compare(randomPeople(SEED, 24, 70), 70),
);
