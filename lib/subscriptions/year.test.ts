import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { cycleCode } from "@/lib/billing/code-call";
import { asSystem } from "@/lib/db";
import { centsOf } from "@/lib/money";
import { makeDueCalls } from "@/lib/outside/run";
import { connectProvider } from "@/lib/providers/connect";
import type { PixRail } from "@/lib/rails/pix/port";
import { railNamed } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { reconcile } from "@/lib/reconcile/reconcile";
import { serveApiPix } from "@/lib/testing/api-pix";
import { replaceCodes, simulatedCodes } from "@/lib/testing/code-rail";
import { openHost } from "@/lib/testing/http";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { STAFF } from "@/lib/testing/refunds";
import { advance, chargeCards, orderDebits, payCode } from "@/lib/testing/subscriptions";
import { booksOf, fees, lifeOf, openYear, play, SETTLE_DAYS, unmatchedCents } from "@/lib/testing/year";
import { books } from "@/lib/testing/year-books";
import { live } from "@/lib/testing/year-model";
import { people, plans, randomPeople, type Script, YEAR } from "@/lib/testing/year-scripts";
import type { Mode } from "@/prisma/client/enums";

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

/** Plays scripts with the program and with the model, and compares all that both made of them. Returns the cents that were paid. */
async function compare(scripts: Readonly<Record<string, Script>>, until: number, mode: Mode = "sandbox") {
  const year = await openYear(plans, mode);
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
  const unmatched = lives.flatMap((life) => life.unmatched).reduce((sum, one) => sum + one, 0);
  expect(await unmatchedCents()).toBe(unmatched);
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
  return sales.reduce((sum, { cents }) => sum + cents, unmatched);
}

test(
  "four hundred days of twenty-eight people give what the rules say, to the event and to the cent",
  {
    timeout: 600_000,
  },
  () => compare(people, YEAR),
);

openHost(routes.filter(({ path }) => path.startsWith("/callbacks/")));

/** A PSP that speaks the API Pix, at whose clock it is as late as at the account's, and whose payers are the people. */
async function connectPsp() {
  const psp = await serveApiPix();
  onTestFinished(() => psp.close());
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name: "psp", title: "PSP", ...settings }));
  const rail = railNamed("psp") as PixRail;
  Object.assign(rail.automatic ?? {}, { simulate: psp.automatic.payer });
  rail.pay = async (payment) => (await rail.received(psp.automatic.payCode(payment).endToEndId)) as Receipt;
  psp.between = async (_, serve) => {
    const offset = await asSystem((tx) => tx.account.aggregate({ _max: { clockOffsetMs: true } }));
    psp.automatic.clock.at = new Date(Date.now() + Number(offset._max.clockOffsetMs));
    return serve();
  };
  return psp;
}

test("people who authorise debits live the same year at a PSP that speaks the API Pix", {
  timeout: 600_000,
}, async () => {
  const psp = await connectPsp();
  const debits = Object.entries(people).filter(([, { plan }]) => plans[plan]?.method === "debit");
  const paid = await compare(Object.fromEntries(debits), YEAR, "live");
  const received = [...psp.pixes.values()].reduce((sum, { valor }) => sum + (centsOf(valor) ?? 0), 0);
  expect([psp.automatic.recs.size, received]).toEqual([debits.length, paid]);
});

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
