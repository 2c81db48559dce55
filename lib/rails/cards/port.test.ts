import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { timeouts } from "@/lib/outside/http-client";
import { acquirerFor, acquirerNamed } from "@/lib/rails/cards/acquirers";
import type { Acquirer, PlainCard } from "@/lib/rails/cards/port";
import { patience } from "@/lib/simulators/cards/routes";
import { patience as cieloPatience, SILENT, SLOW, serveCielo } from "@/lib/testing/cielo";
import { type NetworkFault, serveHttpProxy, UNDONE } from "@/lib/testing/http-proxy";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";

/**
 * What the suite needs of an acquirer's test environment: the numbers that choose its outcomes, and its time limits.
 */
type Bench = {
  approved: string[];
  refused: [number: string, reason: string, isHard: boolean][];
  slow: string;
  silentThenApproved: string;
  silentThenRefused: [number: string, reason: string];
  /** Requests that it does not accept and does not record. */
  notAccepted: { amount?: number; installments?: number; card?: PlainCard }[];
  /** Guarantees that only some acquirers give. */
  promises: { oneChargeForEachId: boolean; aListByDate: boolean };
  /** Opens the environment; `close` makes the acquirer unreachable. */
  open(): Promise<Environment>;
  /** The setting that has the address at which the acquirer charges. */
  address: "SIMULATOR_URL" | "CIELO_URL";
  /** How long `charge` waits while the work runs, and how long a slow answer takes. */
  withTimes<T>(times: { callMs?: number; slowMs?: number }, work: () => Promise<T>): Promise<T>;
};

/** The acquirer's own records: how often a charge was made, and how many cents of it went back. */
type Environment = {
  close(): Promise<unknown>;
  made(id: string): Promise<number>;
  returned(id: string): Promise<number>;
};

const benches: Record<string, Bench> = {
  simulator: {
    // 4100… concerns only our own rules, and 6062… is on no list, so the acquirer approves both.
    approved: [
      ...["4111111111111111", "5555555555554444", "6362970000457013"],
      ...["4100000000000019", "6062825624254001", "5078601870000127985", "30569309025904", "378282246310005"],
    ],
    refused: [
      ["4000000000000002", "do_not_honor", false],
      ["4000000000009995", "insufficient_funds", false],
      ["4000000000000069", "expired_card", true],
      ["4000000000000127", "invalid_cvv", true],
      ["4000000000009979", "stolen_card", true],
    ],
    slow: "4000000000000101",
    silentThenApproved: "4000000000000119",
    silentThenRefused: ["4000000000000259", "processing_error"],
    notAccepted: [{ amount: 0 }, { installments: 0 }, { card: card("4111111111111112") }],
    promises: { oneChargeForEachId: true, aListByDate: true },
    open: async () => {
      const drop = await openOwnDatabase(); // these charges have no sales, so the run's last reconcile must not read them
      const server = await serveRail();
      const read = async (text: string, id: string) =>
        (await runPrepared<{ value: number }>("", text, [id]))[0]?.value ?? 0;
      return {
        close: () => server.close().then(drop),
        made: (id) => read("select count(*)::int as value from simulator_charges where id = $1", id),
        returned: (id) => read("select sum(amount)::int as value from simulator_card_refunds where charge_id = $1", id),
      };
    },
    address: "SIMULATOR_URL",
    withTimes: withTimesOf(patience),
  },
  cielo: {
    approved: ["4111111111111111", "5555555555554444", "6362970000457014", "378282246310000"],
    refused: [
      ["4000000000000002", "do_not_honor", false],
      ["4000000000000036", "processing_error", false],
      ["4000000000000093", "not_permitted", true],
    ],
    slow: SLOW,
    silentThenApproved: SILENT[0],
    silentThenRefused: [SILENT[1], "processing_error"],
    notAccepted: [{ amount: 0 }, { installments: 0 }],
    promises: { oneChargeForEachId: false, aListByDate: false },
    open: async () => {
      const stand = await serveCielo();
      const of = (id: string) => stand.sold.filter((sale) => sale.MerchantOrderId === id.replaceAll("-", ""));
      return {
        close: stand.close,
        made: async (id) => of(id).length,
        returned: async (id) => of(id).reduce((sum, { Payment }) => sum + (Payment.VoidedAmount ?? 0), 0),
      };
    },
    address: "CIELO_URL",
    withTimes: withTimesOf(cieloPatience),
  },
};

/** Runs work with other time limits; `patience` is the environment's own. */
function withTimesOf(patience: { slowMs: number }): Bench["withTimes"] {
  return ({ callMs = timeouts.callMs, slowMs = patience.slowMs }, work) => {
    const before = { callMs: timeouts.callMs, slowMs: patience.slowMs };
    timeouts.callMs = callMs;
    patience.slowMs = slowMs;
    return work().finally(() => {
      timeouts.callMs = before.callMs;
      patience.slowMs = before.slowMs;
    });
  };
}

/** How soon what a network held back has arrived, also on a busy machine. */
const SOON = { timeout: 5_000 };

const faults: readonly NetworkFault[] = [
  ...UNDONE,
  "its request arrives late",
  "its answer is reset",
  "its answer becomes a 502",
  "its answer is late",
];

/** A card whose values appear nowhere else, so that a trace of them is a trace of this card. */
function card(number: string): PlainCard {
  return { number, holder_name: "ANA CANARIO", expiry_month: "11", expiry_year: "2087", cvv: "9371" };
}

const chargeOf = (number: string) => ({
  id: newId(),
  amount: 1_999,
  installments: 3,
  card: card(number),
  brand: "visa",
  softDescriptor: "Padaria São João",
});

/** The error of a promise that must fail. */
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => Promise.reject(new Error(`It did not fail: ${inspect(value)}`)),
    (error: unknown) => error,
  );

/** Searches everything that an error could show: message, stack, causes, and members that are not printed. */
function expectNothingOfTheCard(error: unknown, { card: { number, holder_name, cvv = "" } }: { card: PlainCard }) {
  expect(error).toBeInstanceOf(Error);
  const { message, stack } = error as Error;
  const shown = [message, stack, inspect(error, { depth: 20, showHidden: true })].join("\n");
  for (const secret of [number, number.slice(0, 6), holder_name]) expect(shown).not.toContain(secret);
  expect(shown).not.toMatch(new RegExp(`\\b${cvv}\\b`));
}

test("without configuration a live account has no acquirer, a sandbox has the simulated one, and unknown names have none", () => {
  expect([acquirerFor("live"), acquirerFor("sandbox")?.provider]).toEqual([null, "simulator"]);
  expect([acquirerNamed("simulator"), acquirerNamed("nobody")]).toEqual([acquirerFor("sandbox"), null]);
  expect(acquirerNamed("cielo")).toBeNull();
});

describe.each(Object.entries(benches))("the acquirer %s", (provider, bench) => {
  let acquirer: Acquirer;
  /** What is found of a charge whose sale still waits for it. */
  const find = ({ id, amount }: { id: string; amount: number }) => acquirer.find({ id, amount, isWanted: true });
  const { withTimes, promises } = bench;
  let environment: Environment | undefined;
  const close = async () => {
    await environment?.close();
    environment = undefined;
  };
  beforeAll(async () => {
    environment = await bench.open();
    acquirer = acquirerNamed(provider) as Acquirer;
  });
  afterAll(close);

  test.each(bench.approved)("approves %s, and answers the same when it is asked again", async (number) => {
    const charge = chargeOf(number);
    expect(await acquirer.charge(charge)).toEqual({ status: "approved" });
    expect(await find(charge)).toEqual({ status: "approved" });
  });

  test.each(bench.refused)(
    "refuses %s with the reason %s (hard: %s), also when it is asked again",
    async (number, reason, isHard) => {
      const charge = chargeOf(number);
      expect(await acquirer.charge(charge)).toEqual({ status: "refused", reason, isHard });
      expect(await find(charge)).toEqual({ status: "refused", reason, isHard });
    },
  );

  test("charges a card on file, which has no CVV", async () => {
    const charge = chargeOf(bench.approved[0] as string);
    expect(await acquirer.charge({ ...charge, card: { ...charge.card, cvv: undefined } })).toEqual({
      status: "approved",
    });
  });

  test("may answer slowly", async () => {
    const asked = performance.now();
    const outcome = await withTimes({ slowMs: 300 }, () => acquirer.charge(chargeOf(bench.slow)));
    expect(outcome).toEqual({ status: "approved" });
    expect(performance.now() - asked).toBeGreaterThan(290);
  });

  test("that answers after the time-out leaves the outcome unknown, and it is found later", async () => {
    const charge = chargeOf(bench.slow);
    const failure = await withTimes({ slowMs: 3_000, callMs: 1_000 }, () => failureOf(acquirer.charge(charge)));
    expectNothingOfTheCard(failure, charge);
    await expect.poll(() => find(charge)).toEqual({ status: "approved" });
  });

  test.each([
    [bench.silentThenApproved, { status: "approved" }],
    [bench.silentThenRefused[0], { status: "refused", reason: bench.silentThenRefused[1], isHard: false }],
  ])("never answers a charge of %s: charging throws, and `find` gives the outcome", async (number, outcome) => {
    const charge = chargeOf(number);
    const failure = await withTimes({ callMs: 1_000 }, () => failureOf(acquirer.charge(charge)));
    expectNothingOfTheCard(failure, charge);
    await expect.poll(() => find(charge)).toEqual(outcome);
    if (promises.oneChargeForEachId) expect(await acquirer.charge(charge)).toEqual(outcome); // nor is it charged again
  });

  if (promises.oneChargeForEachId) {
    test("answers a repeat of an id with the first outcome, whatever the card", async () => {
      const charge = chargeOf(bench.refused[0]?.[0] as string);
      const first = await acquirer.charge(charge);
      expect(await acquirer.charge(charge)).toEqual(first);
      expect(await acquirer.charge({ ...charge, card: card(bench.approved[0] as string) })).toEqual(first);
      expect(await find(charge)).toEqual(first);
    });

    test("answers two at once under one id with the same outcome, though their cards have different ones", async () => {
      const charge = chargeOf(bench.approved[0] as string);
      const other = { ...charge, card: card(bench.refused[0]?.[0] as string) };
      const outcomes = await Promise.all([charge, other, charge, other].map((each) => acquirer.charge(each)));
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      expect(await find(charge)).toEqual(outcomes[0]);
    });

    test("throws for another amount under an id, and leaves the first charge as it was", async () => {
      const charge = chargeOf(bench.approved[0] as string);
      await acquirer.charge(charge);
      expectNothingOfTheCard(await failureOf(acquirer.charge({ ...charge, amount: 2_000 })), charge);
      expect(await find(charge)).toEqual({ status: "approved" });
    });
  } else {
    test("charges as often as it is asked, and an approved charge then decides the outcome", async () => {
      const charge = chargeOf(bench.refused[0]?.[0] as string);
      expect(await acquirer.charge(charge)).toMatchObject({ status: "refused" });
      expect(await acquirer.charge({ ...charge, card: card(bench.approved[0] as string) })).toEqual({
        status: "approved",
      });
      expect(await find(charge)).toEqual({ status: "approved" });
    });
  }

  test("answers a request that it does not accept as not charged, and records nothing", async () => {
    for (const wrong of bench.notAccepted) {
      const charge = { ...chargeOf(bench.approved[0] as string), ...wrong };
      expect(await acquirer.charge(charge)).toEqual({ status: "lost" });
      expect(await find(charge)).toBeNull();
    }
  });

  if (promises.aListByDate) {
    test("lists every charge that it approved since then, oldest first, and none that it refused", async () => {
      const since = new Date(Date.now() - 1_000);
      const ids = Array.from({ length: 3 }, newId);
      for (const id of ids) await acquirer.charge({ ...chargeOf(bench.approved[0] ?? ""), id });
      const refused = newId();
      await acquirer.charge({ ...chargeOf(bench.refused[0]?.[0] ?? ""), id: refused });
      const listed = [];
      for await (const approved of acquirer.approvedSince?.(since) ?? []) listed.push(approved);
      expect(listed.filter(({ id }) => ids.includes(id)).map(({ id }) => id)).toEqual(ids);
      expect(listed.map(({ id }) => id)).not.toContain(refused);
      for (const { at, amount } of listed) expect([at >= since, amount > 0]).toEqual([true, true]);
    });
  } else {
    test("has no list by date", () => {
      expect(acquirer.approvedSince).toBeUndefined();
    });
  }

  test("sends parts of a charge back, each of which is found by what went back before it, and no more than all", async () => {
    const charge = chargeOf(bench.approved[0] as string);
    await acquirer.charge(charge);
    let before = 0;
    for (const amount of [500, 1_499]) {
      const refund = { chargeId: charge.id, id: newId(), amount, before };
      expect(await acquirer.findSentBack(refund)).toBeNull();
      expect(["accepted", "completed"]).toContain((await acquirer.sendBack(refund)).status);
      expect(await acquirer.findSentBack(refund)).toEqual({ status: "completed", returnId: null });
      expect(await acquirer.sendBack(refund), "it is asked again").toEqual({ status: "completed", returnId: null });
      before += amount;
    }
    const refund = { chargeId: charge.id, id: newId(), amount: 1, before };
    expect(await acquirer.sendBack(refund)).toMatchObject({ status: "failed" });
    expect(await acquirer.findSentBack(refund)).toBeNull();
  });

  /** Lets requests that change something pass through a network that breaks the next one, and runs the work. */
  async function through<T>(work: (network: { fault?: NetworkFault | undefined }) => Promise<T>): Promise<T> {
    const { [bench.address]: before } = env;
    const network = await serveHttpProxy(before, 500);
    Object.assign(env, { [bench.address]: network.url });
    try {
      return await withTimes({ callMs: 300 }, () => work(network));
    } finally {
      Object.assign(env, { [bench.address]: before });
      await network.close();
    }
  }

  test.each(faults)("a charge: %s. It is unknown at first, then what it is, and made once at most", async (fault) => {
    const charge = chargeOf(bench.approved[0] as string);
    await through(async (network) => {
      network.fault = fault;
      expectNothingOfTheCard(await failureOf(acquirer.charge(charge)), charge);
      if (UNDONE.includes(fault)) return expect(await find(charge)).toBeNull();
      return expect.poll(() => find(charge), SOON).toEqual({ status: "approved" });
    });
    expect(await environment?.made(charge.id)).toBe(UNDONE.includes(fault) ? 0 : 1);
  });

  test.each(faults)("several returns in a row, of one of them %s: each is made once", async (fault) => {
    const charge = chargeOf(bench.approved[0] as string);
    await acquirer.charge(charge);
    await through(async (network) => {
      let before = 0;
      for (const amount of [500, 300, 1_000, 199]) {
        const refund = { chargeId: charge.id, id: newId(), amount, before };
        network.fault = amount === 300 ? fault : undefined;
        const isBroken = network.fault !== undefined;
        const sent = await acquirer.sendBack(refund).catch(() => null);
        if (isBroken) {
          expect(sent, "unknown").toBeNull();
          if (UNDONE.includes(fault)) {
            expect(await acquirer.findSentBack(refund)).toBeNull();
            await acquirer.sendBack(refund);
          }
        }
        await expect.poll(() => acquirer.findSentBack(refund), SOON).toEqual({ status: "completed", returnId: null });
        before += amount;
        expect(await environment?.returned(charge.id)).toBe(before);
      }
    });
  });

  test("answers null for an id that was never charged, whatever it looks like", async () => {
    for (const id of [newId(), "1", "", "../charges", "a/b", "\u0000", "%"]) {
      expect(await find({ id, amount: 1_999 })).toBeNull();
    }
  });

  test("that is down charges nothing, and throws when it is asked about an earlier charge", async () => {
    const charge = chargeOf(bench.approved[0] as string);
    await close(); // the last test of this acquirer
    expectNothingOfTheCard(await failureOf(find(charge)), charge);
    expect(await acquirer.charge(charge)).toEqual({ status: "lost" });
  });
});
