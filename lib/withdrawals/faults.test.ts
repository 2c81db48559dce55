import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { actAs } from "@/lib/actor";
import { forAccount, prisma, queryOf, runPrepared, transactionFor } from "@/lib/db";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { resolveCall, sendCall } from "@/lib/outside/calls";
import { timeouts } from "@/lib/outside/http-client";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import type { CrashPoint } from "@/lib/process/crash-points";
import { railFor } from "@/lib/rails/pix/rails";
import { type SandboxKey, sandboxKeys } from "@/lib/rails/pix/sandbox-keys";
import { reconcile } from "@/lib/reconcile/reconcile";
import { countEvents } from "@/lib/rollups/count";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { takeSteps } from "@/lib/simulators/pix/payout-steps";
import { patience } from "@/lib/simulators/pix/payouts";
import { call, fund, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { askPayout, PAYOUT_FEE as FEE, moneyOf, sentOf } from "@/lib/testing/payouts";
import { serveRail } from "@/lib/testing/rail";
import { randomFrom } from "@/lib/testing/random";
import { letTimePass, STAFF } from "@/lib/testing/refunds";
import { historyOf } from "@/lib/testing/traces";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { cancelWithdrawal } from "@/lib/withdrawals/decide";
import { giveUpWithdrawal } from "@/lib/withdrawals/give-up";
import { payoutWatch } from "@/lib/withdrawals/payout-watch";
import { lookAtPayouts } from "@/lib/withdrawals/poll";
import { findWithdrawal } from "@/lib/withdrawals/read";
import { liftStop, stopPayouts } from "@/lib/withdrawals/stops";

/** How many stories of faults are played, and the seed of the first; by hand `WITHDRAWAL_FAULTS=1000 WITHDRAWAL_SEED=…`. */
const STORIES = Number(process.env.WITHDRAWAL_FAULTS ?? 12);
const SEED = Number(process.env.WITHDRAWAL_SEED ?? 2_026);
/** Providers are given so long while faults happen. */
const HASTY = { callMs: 60, findMs: 60 };

/** How often each fault was met, each death, and each end. */
const met: Record<string, number> = {};
const meet = (what: string) => {
  met[what] = (met[what] ?? 0) + 1;
};

/** The random numbers of the network in the story that is played, undefined while nothing fails. */
let random: (() => number) | undefined;
const late: Promise<unknown>[] = [];
const noAnswer = () => pause(HASTY.callMs + 20).then(() => new Response(null, { status: 504 }));

/** What a network and a provider do to a request. */
const networks = {
  "is lost": noAnswer,
  "is served and not answered": async (serve) => {
    await serve();
    return noAnswer();
  },
  "is served and half answered": async (serve) => {
    await serve();
    return new Response('{"id":', { status: 201 });
  },
  "fails with 500": async () => new Response("{}", { status: 500 }),
  "fails with 404 of a server in between": async () => new Response("<html>Not found</html>", { status: 404 }),
  "is served and fails with 502": async (serve) => {
    await serve();
    return new Response("<html>Bad gateway</html>", { status: 502 });
  },
  "arrives after its caller has left": async (serve) => {
    late.push(pause(HASTY.callMs * 2).then(serve));
    return noAnswer();
  },
  "arrives twice": async (serve) => (await Promise.all([serve(), serve()]))[0],
} as const satisfies Record<string, (serve: () => Promise<Response>) => Promise<Response>>;
const kindsOfFault = Object.keys(networks) as (keyof typeof networks)[];

async function between(request: Request, serve: (request: Request) => Promise<Response>): Promise<Response> {
  if (!random || random() > 0.35) return serve(request);
  const [url, { method, headers }] = [request.url, request];
  const body = method === "GET" ? undefined : await request.text();
  const kind = oneOf(random, kindsOfFault);
  meet(`a request ${kind}`);
  return networks[kind](() => serve(new Request(url, { method, headers, ...(body !== undefined && { body }) })));
}

/** reconcile() reads the whole ledger and the loops take all that is due, so this test has a database of its own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
const usual = { ...timeouts };
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail({ between });
  Object.assign(patience, { lateMs: 100, heldMs: 100 });
});
afterAll(async () => {
  Object.assign(timeouts, usual);
  await rail.close();
  await drop();
});

const oneOf = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

const points = [
  "call.claimed",
  "call.beginning",
  "call.begun",
  "call.answered",
  "call.finishing",
  "call.found",
] as const;

/** Runs work that dies at a point: there it throws, and whatever it had not committed is undone. */
async function dyingAt(point: CrashPoint | undefined, work: () => Promise<unknown>): Promise<void> {
  if (point) process.env.CRASH_AT = point;
  const deaths = kill.mock.calls.length;
  await work().catch((error) => {
    if (error !== DEATH) throw error;
  });
  process.env.CRASH_AT = "";
  if (point && kill.mock.calls.length > deaths) meet(`death at ${point}`);
}
const DEATH = new Error("The process was killed");
const kill = vi.spyOn(process, "kill").mockImplementation(() => {
  throw DEATH;
});
afterAll(() => kill.mockRestore());

/** A withdrawal of a story, and whether the staff has given it up. */
type Told = { id: string; amount: number; key: string; isGivenUp: boolean };

const keys = ["ana@loja.example", "ana@loja.example", ...Object.keys(sandboxKeys)];
const hex = (id: string) => id.replaceAll("-", "");
const payouts = () => {
  const found = railFor("sandbox")?.payouts;
  if (!found?.simulate) throw new Error("a sandbox has the simulated rail");
  return { ...found, simulate: found.simulate };
};

test(`${STORIES} stories of faults from the seed ${SEED} on: no payout is sent twice, nor given back while it may be paid`, {
  timeout: 3_600_000,
}, async () => {
  const made = await makeAccount();
  const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings });
  for (let nth = 0; nth < STORIES; nth += 1) {
    await play(SEED + nth, made).catch((error) => {
      throw new Error(`The story of the seed ${SEED + nth} failed`, { cause: error });
    });
    if (nth % 50 !== 49 && nth !== STORIES - 1) continue;
    while (await consume());
    expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
  }
  console.info(`withdrawal faults: ${STORIES} from the seed ${SEED}`, met);
  const ends = ["paid", "failed", "cancelled", "returned", "given up", "paid late"];
  const expected = [
    kindsOfFault.map((kind) => `a request ${kind}`),
    [...points, "withdrawal.returning", "withdrawal.given_up"].map((point) => `death at ${point}`),
    [...ends, "forgotten", "found again", "stopped"],
  ];
  // A few stories meet some of each, and a hundred meet all.
  for (const all of expected) expect(all.filter((what) => !met[what])).toEqual(STORIES < 100 ? expect.any(Array) : []);
});

async function play(seed: number, made: Made) {
  const [dice, network] = [randomFrom(seed), randomFrom(~seed)];
  const { accountId } = made;
  await fund(accountId, 30_000);
  const [before] = await moneyOf(made);
  const told: Told[] = [];
  for (let number = 0; number < 3; number += 1) {
    const one = { id: newId(), amount: 100 + Math.floor(dice() * 9_000), key: oneOf(dice, keys), isGivenUp: false };
    await askPayout(made, one);
    told.push(one);
  }

  /** Renames a payout and its returns in the rail's records. Returns whether there was one. */
  const rename = (name: string, id: string, to: string, set = "") =>
    transactionFor("", async (query) => {
      const text = `update simulator_payouts set id = $2${set} where id = $1 returning id`;
      const renamed = await query<{ id: string }>(`t-${name}`, text, [id, to]);
      await query("t-rename-returns", "update simulator_payout_returns set payout_id = $2 where payout_id = $1", [
        id,
        to,
      ]);
      return renamed.length > 0;
    });
  const forget = async (id: string) => {
    if (await rename("forget", hex(id), `${hex(id)}~`, ", notify_at = null")) meet("forgotten");
  };
  /** The rail finds what it had lost, with its steps over; `isPaid` has paid it. */
  const remember = async (id: string, isPaid: boolean) => {
    const paid = isPaid ? ", status = 'paid', paid_at = coalesce(paid_at, now()), reason = null" : "";
    const set = `, step_at = null, changes = changes + 1, notify_at = now(), changed_at = now()${paid}`;
    if (await rename(`remember-${isPaid}`, `${hex(id)}~`, hex(id), set)) meet("found again");
  };
  const giveUp = async (one: Told) => {
    const given = { accountId, id: one.id, reason: "O banco não conhece." };
    const answer = await actAs(STAFF, () => giveUpWithdrawal(given, call())).catch((error) => {
      if (error === DEATH || error.code) return undefined;
      throw error;
    });
    if (answer?.data.status === "failed") one.isGivenUp = true;
  };
  const cancel = ({ id }: Told) =>
    cancelWithdrawal(made.account, { id }, call()).catch((error) => {
      if (error.code !== "invalid_transition") throw error;
    });
  const place = { scope: "account" as const, target: accountId };

  const acts: Record<string, () => Promise<unknown>> = {
    work: async () => {
      await letTimePass(oneOf(dice, [1, 16, 90]));
      const point = dice() < 0.5 ? oneOf(dice, points) : undefined;
      await dyingAt(point, () => Promise.all([makeDueCalls([withdrawalCall]), makeDueCalls([withdrawalCall])]));
    },
    // As where the leases of slow workers have lapsed: several make one call at once, beside somebody who cancels it.
    race: async () => {
      const one = oneOf(dice, told);
      const key = { accountId, id: one.id };
      const each = [() => sendCall(withdrawalCall, key), () => resolveCall(withdrawalCall, key)];
      const cancels = dice() < 0.2 ? [() => cancel(one)] : [];
      if (dice() < 0.7) random = undefined;
      const workers = () => Promise.allSettled([...each, ...cancels, ...each, ...each].map((work) => work()));
      await dyingAt(dice() < 0.2 ? "call.found" : undefined, workers);
      random = network;
    },
    end: async () =>
      payouts()
        .simulate.endPayout({ id: oneOf(dice, told).id, isPaid: dice() < 0.6 })
        .catch(() => meet("the PSP was not reached")),
    giveBack: async () => {
      const { id, amount } = oneOf(dice, told);
      const back = dice() < 0.5 ? amount : Math.ceil(amount / 2);
      await payouts()
        .simulate.returnPayout({ id, amount: back })
        .catch(() => meet("the PSP was not reached"));
      random = undefined;
      await sendNotices();
      await acts.watch?.();
      random = network;
    },
    step: async () => {
      await runPrepared("t-step", "update simulator_payouts set step_at = now() where step_at is not null", []);
      await sendNotices();
    },
    notices: async () => sendNotices(),
    watch: async () =>
      dyingAt(dice() < 0.5 ? "withdrawal.returning" : undefined, () =>
        Promise.all([askDue([payoutWatch]), askDue([payoutWatch])]),
      ),
    look: async () => {
      await runPrepared("t-look", "update rail_looks set look_at = now(), look_back_at = now()", []);
      await lookAtPayouts();
    },
    forget: () => forget(oneOf(dice, told).id),
    remember: () => remember(oneOf(dice, told).id, dice() < 0.5),
    giveUp: async () => {
      const one = oneOf(dice, told);
      await letTimePass(90);
      if (dice() < 0.6) random = undefined;
      const twice = () => Promise.all([giveUp(one), giveUp(one), ...(dice() < 0.5 ? [acts.watch?.()] : [])]);
      await dyingAt(dice() < 0.2 ? "withdrawal.given_up" : undefined, twice);
      random = network;
    },
    cancel: () => cancel(oneOf(dice, told)),
    stop: async () => {
      await stopPayouts({ ...place, reason: "x" });
      meet("stopped");
      await acts.work?.();
      if (dice() < 0.8) await liftStop(place);
    },
  };
  Object.assign(timeouts, HASTY);
  random = network;
  const often = ["work", "work", "work", "race", "race", "end", "step", "notices", "watch", "watch"];
  const names = [...often, "giveBack", "look", "forget", "remember", "giveUp", "giveUp", "cancel", "stop"];
  for (let step = 0; step < 10; step += 1) {
    await acts[oneOf(dice, names)]?.();
    await check(false);
  }

  // All is well again: the rail knows most of what it had lost, and ends what it accepted.
  random = undefined;
  Object.assign(timeouts, usual);
  await Promise.all(late.splice(0));
  await liftStop(place);
  for (const { id } of told) if (dice() < 0.7) await remember(id, dice() < 0.5);
  const losesCallbacks = dice() < 0.5; // the look at the rail finds all that they would report
  for (let round = 0; round < 3; round += 1) {
    await letTimePass(120);
    while (await makeDueCalls([withdrawalCall]));
    await runPrepared("t-step", "update simulator_payouts set step_at = now() where step_at is not null", []);
    for (const { id, amount } of told) await payouts().simulate.endPayout({ id, isPaid: (seed + amount) % 3 > 0 });
    if (losesCallbacks) {
      while (await takeSteps());
      await runPrepared("t-lose", "update simulator_payouts set notify_at = null", []);
      await runPrepared("t-older", "update simulator_payouts set changed_at = changed_at - interval '1 minute'", []);
      await acts.look?.();
    } else {
      await runPrepared("t-notify", "update simulator_payouts set notify_at = now() where notify_at is not null", []);
      while (await sendNotices());
    }
    await runPrepared("t-ask", "update watches set ask_at = now()", []);
    while (await askDue([payoutWatch]));
  }
  await letTimePass(120);
  for (const one of told) await giveUp(one);
  await check(true);

  /** Compares the rail's records with our withdrawals, and what is available and held with what follows from both. */
  async function check(isOver: boolean) {
    let [available, held] = [before, 0];
    for (const { id, amount, key, isGivenUp } of told) {
      const { withdrawal } = await forAccount(accountId, (tx) => findWithdrawal(queryOf(tx), accountId, id));
      const { status } = withdrawal;
      const sent = await sentOf(id);
      const said: SandboxKey = sandboxKeys[key as keyof typeof sandboxKeys] ?? {};
      const of = `${id} to ${key} is ${status}, ${JSON.stringify(sent)}`;
      expect(sent.length, `one payout at most: ${of}`).toBeLessThanOrEqual(1);
      if (status === "requested" || status === "cancelled") expect(sent, of).toEqual([]);
      // Who saw that nobody had it, or that it was not made, gave it back; and nobody else.
      const wasNotMade = sent[0]?.status === "failed" || said.begins === "failed" || said.owner === "nobody";
      if (status === "failed") expect(isGivenUp || wasNotMade, `given back: ${of}`).toBe(true);
      const isPaid = status === "paid" || status === "returned";
      if (isPaid) expect(sent[0]?.status, of).toBe("paid");
      if (status === "failed" || status === "cancelled") continue;
      available -= amount + FEE;
      if (isPaid) available += Number(withdrawal.returnedAmount);
      else held += amount + FEE;
      expect(Number(withdrawal.returnedAmount), of).toBeLessThanOrEqual(sent[0]?.returned ?? 0);
      if (!isOver) continue;
      expect(isPaid, `ended: ${of}`).toBe(true);
      if (!sent[0]?.isForgotten) expect(Number(withdrawal.returnedAmount), of).toBe(sent[0]?.returned);
    }
    expect(await moneyOf(made)).toEqual([available, held]);
    if (!isOver) return;
    for (const { id, isGivenUp } of told) {
      const history = await historyOf(accountId, id);
      const status = history.at(-1)?.split(" ").at(-1) ?? "";
      const [sent] = await sentOf(id);
      if (sent && !sent.isForgotten)
        expect(status, id).toBe(
          sent.status === "failed" ? "failed" : sent.returned === sent.amount ? "returned" : "paid",
        );
      meet(status);
      if (isGivenUp) meet("given up");
      if (history.includes("failed → paid")) meet("paid late");
    }
    // The rail has no payout of any other id.
    const known = (await Promise.all(told.map(({ id }) => sentOf(id)))).flat().length;
    payoutsKnown += known;
    expect(await prisma().simulatorPayout.count()).toBe(payoutsKnown);
  }
}

/** How many payouts the withdrawals of the stories so far have at the rail. */
let payoutsKnown = 0;
