import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { asSystem, forAccount, runPrepared } from "@/lib/db";
import { depositCall } from "@/lib/deposits/call";
import { paymentWatch } from "@/lib/deposits/complete";
import { lookAtRails, pollRail } from "@/lib/deposits/poll";
import { requestDeposit } from "@/lib/deposits/request";
import { eventsConsumer } from "@/lib/events/consume";
import { replayOf } from "@/lib/idempotency";
import { idOf, newId, sha256 } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import { centsOf } from "@/lib/money";
import { timeouts } from "@/lib/outside/http-client";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { watchCalls } from "@/lib/outside/watch-calls";
import type { CrashPoint } from "@/lib/process/crash-points";
import { connectProvider } from "@/lib/providers/connect";
import { readProviders } from "@/lib/rails/pix/connected";
import type { PixRail } from "@/lib/rails/pix/port";
import { railNamed } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCall, refundCalls } from "@/lib/refunds/call";
import { codeOf } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { countEvents } from "@/lib/rollups/count";
import { type Answer, type Asked, problem } from "@/lib/testing/api-pix";
import { DEATH, openDeaths } from "@/lib/testing/deaths";
import { serveEfi } from "@/lib/testing/efi";
import { faultNames, play, settleLate } from "@/lib/testing/faults";
import { openHost } from "@/lib/testing/http";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { randomFrom, randomOf } from "@/lib/testing/random";
import { letTimePass, STAFF } from "@/lib/testing/refunds";
import { historyOf } from "@/lib/testing/traces";
import { cashOut, setLimits } from "@/lib/testing/withdrawals";
import { returnCalls, unmatchedReturn } from "@/lib/unmatched/call";
import { returnDue } from "@/lib/unmatched/return-due";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { giveUpWithdrawal } from "@/lib/withdrawals/give-up";
import { payoutWatch } from "@/lib/withdrawals/payout-watch";
import { lookAtPayouts } from "@/lib/withdrawals/poll";
import { requestWithdrawal } from "@/lib/withdrawals/request";

/** How many stories of faults are played, and the seed of the first; by hand `PSP_FAULTS=1000 PSP_SEED=…`. */
const STORIES = Number(process.env.PSP_FAULTS ?? 20);
const SEED = Number(process.env.PSP_SEED ?? 33);
const [FEE, REFUND_FEE, WITHDRAWAL_FEE, HUGE] = [200, 35, 120, 1_000_000_000];
/** The PSP is given so long while faults happen. */
const HASTY = { callMs: 40, findMs: 40 };
/** A quarter of an hour: what a PSP took and does not find for so long may be written as failed. */
const PATIENT_MINUTES = 14;

const met: Record<string, number> = {};
const meet = (what: string) => {
  met[what] = (met[what] ?? 0) + 1;
};

openHost(routes.filter(({ path }) => /^\/(callbacks|simulator)\//.test(path)));
let drop: () => Promise<void>;
let psp: Awaited<ReturnType<typeof serveEfi>>;
const usual = { ...timeouts };
beforeAll(async () => {
  drop = await openOwnDatabase(); // a provider is of all accounts
  psp = await serveEfi();
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name: "efi", title: "Efí", ...settings }));
  await runPrepared("t-connected", "update pix_providers set created_at = now() - interval '60 days'", []);
  await readProviders();
});
afterAll(async () => {
  Object.assign(timeouts, usual);
  await psp.close();
  await drop();
});

const dies = openDeaths();
const dyingAt = async (point: CrashPoint | undefined, work: () => Promise<unknown>) => {
  if (await dies(point, work)) meet(`death at ${point}`);
};
const points = [
  ...(["call.claimed", "call.beginning", "call.begun", "call.answered", "call.finishing", "call.finished"] as const),
  "call.found",
] satisfies CrashPoint[];

const calls = [depositCall, ...refundCalls, ...returnCalls, withdrawalCall];
const watches = [paymentWatch, watchCalls(refundCall, unmatchedReturn), payoutWatch];
const rail = () => railNamed("efi") as PixRail;
const hex = (id: string) => id.replaceAll("-", "");

test(`${STORIES} stories of faults from the seed ${SEED} on end with the PSP's records and our ledger in agreement`, {
  timeout: 3_600_000,
}, async () => {
  const seller = await aSeller();
  const { consume } = eventsConsumer({ counts: countEvents });
  for (let nth = 0; nth < STORIES; nth += 1) {
    await tell(SEED + nth, seller).catch((error) => {
      throw new Error(`The story of the seed ${SEED + nth} failed`, { cause: error });
    });
    if (nth % 50 !== 49 && nth !== STORIES - 1) continue;
    while (await consume());
    expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
    for (const all of [psp.pixes, psp.cobs, psp.sent]) all.clear(); // what is agreed on is not read in every story again
    psp.asked.length = 0;
  }
  console.info(`PSP faults: ${STORIES} from the seed ${SEED}`, met);
  const expected = [faultNames, points.map((point) => `death at ${point}`), ENDS];
  // A few stories meet some of each, and some hundreds meet all.
  for (const all of expected)
    expect(all.filter((what) => !met[what]).length).toBeLessThanOrEqual(STORIES < 300 ? all.length / 2 : 0);
});

test("a seed that is told again has the same story: the same requests, each with the same fault", async () => {
  const seller = await aSeller();
  const [told, again] = [await tell(SEED, seller), await tell(SEED, seller)];
  const both = [...told.keys()].filter((request) => again.has(request));
  // A request that the machine served too late is asked for once more.
  expect(both.length).toBeGreaterThan(Math.max(told.size, again.size) / 2);
  for (const request of both) expect([request, again.get(request)]).toEqual([request, told.get(request)]);
});

async function aSeller(): Promise<Made> {
  const seller = await makeAccount({ mode: "live", feeBasisPoints: FEE, available: 1_000_000 });
  await setLimits(seller, {
    ...{ withdrawalFee: WITHDRAWAL_FEE, withdrawalLimit: HUGE, withdrawalDayLimit: HUGE, withdrawalNightLimit: HUGE },
    ...{ newKeyLimit: HUGE, refundFee: REFUND_FEE, approvalAbove: HUGE },
  });
  return seller;
}

const ENDS = [
  ...[
    "sale completed",
    "sale failed",
    "refund completed",
    "refund failed",
    "refund completed late",
    "unmatched returned",
  ],
  ...["withdrawal paid", "withdrawal failed", "withdrawal returned", "withdrawal returned in part"],
];

/**
 * Plays one story. What its seller, payers and PSP do in a step has random numbers of its own, and so has each request, by what is
 * asked for which time: requests at once come in any order, and a step that went otherwise changes no other. Resolves to what
 * happened to each request.
 */
async function tell(seed: number, seller: Made): Promise<ReadonlyMap<string, string>> {
  let dice = randomFrom(seed);
  const { accountId, account } = seller;
  const chance = (part: number) => dice() < part;
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(dice() * all.length)] as T;
  const before = { available: (await readBalances(accountId)).available, clearing: await clearing() };
  const [pixesBefore, sentBefore] = [new Set(psp.pixes.keys()), new Set(psp.sent.keys())];
  const callbacks: (() => Promise<unknown>)[] = [];
  const [sales, withdrawals, refunds]: [string[], string[], string[]] = [[], [], []];
  const [twice, givenUp] = [new Set<string>(), new Set<string>()];
  const [names, times, drawn] = [new Map<string, string>(), new Map<string, number>(), new Map<string, string>()];
  let [minutes, isFaulty] = [0, false];

  psp.between = (asked, serve) => (isFaulty ? between(asked, serve) : Promise.resolve(serve()));

  async function between({ method, path }: Asked, serve: () => Answer): Promise<Answer | undefined> {
    const name = nthOf(nameOf(method, path));
    const network = randomOf(`${seed} ${name}`);
    // A PSP may not find for a while what it has taken, and refuses it when it is asked for again.
    const isFound = method !== "GET" || !/\/(devolucao|id-envio)\//.test(path) || network() >= 0.5;
    const fault = network() < 0.3 ? faultNames[Math.floor(network() * faultNames.length)] : undefined;
    const happens = isFound ? fault : "not found yet";
    drawn.set(name, happens ?? "nothing");
    if (happens) meet(happens);
    if (!isFound) return problem(404, "PixDevolucaoNaoEncontrado");
    if (fault === "arrives twice") twice.add(path);
    return play<Answer | undefined>(fault, { serve, answer: (status) => ({ status }), reset: () => undefined });
  }

  /** A request without the ids of this run: those that nobody named are counted where they stand. */
  function nameOf(method: string, path: string): string {
    return path.split("/").reduce((before, part) => {
      if (/^\w{26,}$/.test(part) && !names.has(part)) names.set(part, nthOf(before));
      return `${before}/${names.get(part) ?? part}`;
    }, method);
  }

  function nthOf(name: string): string {
    times.set(name, (times.get(name) ?? 0) + 1);
    return `${name} ${times.get(name)}`;
  }

  /** Asks under a key, and asks again where it died or had no answer. Resolves to the id of what was made. */
  async function ask(made: (intent: ReturnType<typeof call>) => Promise<string>, point: CrashPoint | undefined) {
    const key = newId();
    const render = (result: unknown) => ({ status: 200, body: JSON.stringify(result) });
    const intent = { idem: { accountId, key, requestHash: sha256(key), render }, requestId: newId() } as never;
    const attempt = () =>
      made(intent).catch((error) => {
        if (error === DEATH) throw error;
        const replayed = replayOf(error);
        if (replayed || error.code) return;
        throw error;
      });
    await dyingAt(point, attempt);
    await attempt();
  }

  const acts: Record<string, () => Promise<unknown>> = {
    sell: async () => {
      const amount = 1_000 + Math.floor(dice() * 20_000);
      const point = chance(0.3)
        ? oneOf(["call.beginning", "call.begun", "call.answered", "call.finished"] as const)
        : undefined;
      await ask(
        async (intent) => (await requestDeposit(account, cashIn({ amount: amount / 100 }), intent)).identifier,
        point,
      );
      const made = await forAccount(accountId, (tx) =>
        tx.transaction.findMany({ where: { accountId }, orderBy: { id: "desc" }, take: 2, select: { id: true } }),
      );
      for (const { id } of made) if (!sales.includes(id) && !known.has(id)) sales.push(id);
    },
    pay: async () => {
      const shown = await forAccount(accountId, (tx) =>
        tx.transaction.findMany({ where: { id: { in: sales }, pixCode: { not: null } }, orderBy: { id: "asc" } }),
      );
      if (shown.length === 0) return;
      const { id, amount } = oneOf(shown);
      const pix = psp.pay({ txid: hex(id), ...(chance(0.15) && { amount: Number(amount) + 1 }) });
      names.set(pix.endToEndId, nthOf("payment"));
      tellOf(() => psp.callBack(pix));
    },
    refund: async () => {
      const paid = await forAccount(accountId, (tx) =>
        tx.transaction.findMany({
          where: { id: { in: sales }, status: "completed" },
          orderBy: { id: "asc" },
          select: { id: true, amount: true },
        }),
      );
      if (paid.length === 0) return;
      const { id, amount } = oneOf(paid);
      const part = chance(0.3) ? undefined : (1 + Math.floor(dice() * (Number(amount) - 1))) / 100;
      const body = RefundBody.parse({ reason: "other", ...(part && { amount: part }) });
      const asked = await requestRefund(account, { ...body, id }, call()).catch((error) => {
        if (!error.code) throw error;
      });
      if (!asked) return;
      const refund = idOf(asked.data.code.slice(4)) ?? "";
      refunds.push(refund);
      names.set(hex(refund), nthOf("refund"));
      await dyingAt(chance(0.2) ? "refund.approved" : undefined, () => approve(asked.data.code));
      await approve(asked.data.code);
    },
    withdraw: async () => {
      const amount = 100 + Math.floor(dice() * 5_000);
      const by = { kind: "token", clientId: seller.clientId } as const;
      const input = { ...cashOut(), amount, by };
      const { reference_id } = await requestWithdrawal(account, input, call());
      withdrawals.push(reference_id);
      names.set(hex(reference_id), nthOf("withdrawal"));
    },
    work: async () => {
      await pass(oneOf([1, 3, 20]));
      const point = chance(0.5) ? oneOf(points) : undefined;
      await dyingAt(point, () => Promise.all([returnDue(), makeDueCalls(calls), makeDueCalls(calls)]));
    },
    watch: async () => {
      const point = chance(0.4) ? oneOf(points) : undefined;
      await dyingAt(point, () => Promise.all([askDue(watches), askDue(watches)]));
    },
    look: async () => {
      await runPrepared("t-look", "update rail_looks set look_at = now()", []);
      await Promise.all([lookAtRails(), lookAtPayouts(), pollRail(rail(), 60_000, -1_000).catch(() => 0)]);
    },
    psp: async () => endAtPsp(0.5),
    giveUp: async () => giveUp(),
    callBack: async () => {
      // They come late, in any order, some twice, and some never.
      for (const one of callbacks.splice(0).sort(() => dice() - 0.5)) {
        const fate = oneOf(["never", "never", "later", "later", "once", "once", "twice"] as const);
        meet(`a callback comes ${fate}`);
        if (fate === "later") callbacks.push(one);
        if (fate === "once" || fate === "twice") await Promise.all([one(), ...(fate === "twice" ? [one()] : [])]);
      }
    },
  };

  const approve = (code: string) =>
    actAs(STAFF, () => approveRefund({ accountId, code }, call())).catch((error) => {
      if (error !== DEATH && error.code !== "invalid_transition") throw error;
    });

  /** A person of the staff gives up what the PSP does not know. */
  async function giveUp() {
    for (const id of withdrawals) {
      const given = { accountId, id, reason: "O provedor não conhece este saque." };
      await actAs(STAFF, () => giveUpWithdrawal(given, call())).then(
        () => {
          meet("a withdrawal is given up");
          givenUp.add(id);
        },
        (error) => {
          if (!error.code) throw error;
        },
      );
    }
  }

  const tellOf = (one: () => Promise<unknown>) => void callbacks.push(one);

  /** Lets minutes pass for calls and watches. What is asked within a quarter of an hour must not be given up. */
  async function pass(some: number) {
    minutes += some;
    await letTimePass(some);
    await runPrepared("t-watches", "update watches set ask_at = ask_at - $1 * interval '1 minute'", [some]);
  }

  const mine = <T>(all: ReadonlyMap<string, T>, others: ReadonlySet<string>) =>
    [...all].flatMap(([id, one]) => (others.has(id) ? [] : [one]));

  /** The PSP ends what it was asked for, or a part of it. */
  async function endAtPsp(part: number) {
    for (const pix of mine(psp.pixes, pixesBefore)) {
      for (const { id, status } of pix.devolucoes ?? []) {
        if (status !== "EM_PROCESSAMENTO" || !chance(part)) continue;
        psp.endReturn(pix.endToEndId, id, chance(0.8));
        tellOf(() => psp.callBack(psp.pixes.get(pix.endToEndId) ?? pix));
      }
    }
    for (const { idEnvio: id, status, valor, devolucoes } of mine(psp.sent, sentBefore)) {
      const amount = centsOf(valor) ?? 0;
      const back = devolucoes.reduce((sum, one) => sum + (centsOf(one.valor) ?? 0), 0);
      if (status === "EM_PROCESSAMENTO" && chance(part)) psp.end(id, chance(0.8));
      else if (status === "REALIZADO" && back < amount && chance(0.2))
        psp.giveBack(id, chance(0.5) ? amount - back : Math.ceil((amount - back) / 3));
      else continue;
      tellOf(() => psp.report(id));
    }
  }

  const moves = ["sell", "pay", "pay", "refund", "refund", "refund", "withdraw", "psp", "callBack", "look", "giveUp"];
  const often = ["work", "work", "work", "watch", "watch"];
  // A sale that is paid, so that there is something to send back
  for (const first of ["sell", "pay"]) await acts[first]?.();
  await pollRail(rail(), 60_000, -1_000);
  await askDue(watches);
  isFaulty = true;
  Object.assign(timeouts, HASTY);
  for (const first of ["refund", "withdraw"]) await acts[first]?.();
  const steps = Array.from({ length: 14 }, () => oneOf([...moves, ...often]));
  for (const [nth, step] of steps.entries()) {
    dice = randomOf(`${seed} step ${nth}`);
    await acts[step]?.();
  }
  const isPatient = minutes < PATIENT_MINUTES;

  // All is well again: the loops run until nothing is left to do, and some callbacks never come.
  isFaulty = false;
  Object.assign(timeouts, usual);
  await settleLate();
  await acts.callBack?.();
  for (let round = 0; round < 3; round += 1) {
    await endAtPsp(1);
    await drain();
    await giveUp();
  }
  await check();
  for (const id of sales) known.add(id);
  return drawn;

  async function drain() {
    for (let round = 0; round < 2; round += 1) {
      await pass(120);
      await pollRail(rail(), 3_600_000, -1_000);
      ageSent();
      await runPrepared("t-look-back", "update rail_looks set look_at = now(), look_back_at = now()", []);
      await lookAtPayouts();
      while (await askDue(watches));
      while (await returnDue());
      while (await makeDueCalls(calls));
    }
  }

  /** As where payouts were asked for some minutes ago, so that no callback about them is waited for. */
  function ageSent() {
    const at = new Date(Date.now() - 5 * 60_000).toISOString();
    for (const { horario, devolucoes } of mine(psp.sent, sentBefore)) {
      Object.assign(horario, { solicitacao: at, ...(horario.liquidacao && { liquidacao: at }) });
      for (const one of devolucoes) Object.assign(one, { horario: at });
    }
  }

  /** Compares the PSP's records with ours, both ways, and all cents with what the PSP's records alone say. */
  async function check() {
    const pixes = mine(psp.pixes, pixesBefore);
    const sent = mine(psp.sent, sentBefore);
    const back = pixes.flatMap(({ devolucoes, endToEndId }) =>
      (devolucoes ?? []).filter(({ status }) => status === "DEVOLVIDO").map((one) => ({ ...one, endToEndId })),
    );
    const cents = (all: readonly { valor: string }[]) => all.reduce((sum, { valor }) => sum + (centsOf(valor) ?? 0), 0);

    const rows = await forAccount(accountId, (tx) => tx.transaction.findMany({ where: { id: { in: sales } } }));
    expect(new Set(rows.map(({ status }) => status))).not.toContain(undefined);
    for (const { id, status, amount, endToEndId, pixCode } of rows) {
      const puts = psp.asked.filter(({ method, path }) => method === "PUT" && path === `/cob/${hex(id)}`);
      expect(puts.length, "a code is asked for once").toBeLessThanOrEqual(1);
      const right = pixes.filter(({ txid, valor }) => txid === hex(id) && centsOf(valor) === Number(amount));
      // A code that the PSP made and that we gave up was shown to nobody.
      const hasCode = pixCode !== null;
      if (hasCode) expect(psp.cobs.has(hex(id))).toBe(true);
      expect(status).toBe(
        !hasCode ? "failed" : right.length > 0 ? (endToEndId && isRefunded(id) ? "refunded" : "completed") : "pending",
      );
      if (right.length > 0) expect(right.map((one) => one.endToEndId)).toContain(endToEndId);
      meet(`sale ${status}`);
    }
    function isRefunded(id: string) {
      const row = rows.find((one) => one.id === id);
      return row?.refundedAmount === row?.amount;
    }

    const [asked, unmatched, out] = await Promise.all([
      forAccount(accountId, (tx) => tx.refund.findMany({ where: { id: { in: refunds } } })),
      asSystem((tx) =>
        tx.unmatchedReceipt.findMany({ where: { endToEndId: { in: pixes.map((one) => one.endToEndId) } } }),
      ),
      forAccount(accountId, (tx) => tx.withdrawal.findMany({ where: { id: { in: withdrawals } } })),
    ]);

    // Every payment is one sale's, or stands with the operator.
    const paidBy = rows.flatMap(({ endToEndId }) => endToEndId ?? []);
    expect([...paidBy, ...unmatched.map(({ endToEndId }) => endToEndId)].sort()).toEqual(
      pixes.map(({ endToEndId }) => endToEndId).sort(),
    );
    // What went back is what we say went back: no second return, and none that we do not know of.
    const ours = [
      ...asked.flatMap(({ id, status, amount }) =>
        status === "completed" ? [[hex(id), Number(amount)] as const] : [],
      ),
      ...unmatched.flatMap(({ returnId, status, amount }) =>
        status === "returned" ? [[hex(returnId ?? ""), Number(amount)] as const] : [],
      ),
    ];
    expect(ours.sort()).toEqual(back.map(({ id, valor }) => [id, centsOf(valor)] as const).sort());
    for (const { id, status } of asked) {
      expect(["completed", "failed"]).toContain(status);
      const isLate = (await historyOf(accountId, id)).includes("failed → completed");
      // Nobody can know of a first request that arrived twice, so that is healed afterwards.
      const isKnown = isPatient && ![...twice].some((path) => path.endsWith(hex(id)));
      if (isLate) expect(isKnown, `${codeOf({ id })} was failed too soon`).toBe(false);
      meet(`refund ${status}${isLate ? " late" : ""}`);
    }
    for (const { status } of unmatched) meet(`unmatched ${status}`);

    // One payout for each withdrawal, to the cent, with all that came back of it.
    const expected = out.map(({ id, amount, status, returnedAmount }) => {
      meet(`withdrawal ${status === "paid" && returnedAmount > 0n ? "returned in part" : status}`);
      const isPaid = status === "paid" || status === "returned";
      return [hex(id), Number(amount), isPaid ? "REALIZADO" : "NAO_REALIZADO", Number(returnedAmount)];
    });
    const recorded = sent.map(({ idEnvio, valor, status, devolucoes }) => [
      idEnvio,
      centsOf(valor),
      status,
      cents(devolucoes),
    ]);
    for (const { id } of out) {
      const isLate = (await historyOf(accountId, id)).includes("failed → paid");
      if (isLate) expect(givenUp.has(id), `${id} was failed too soon`).toBe(true);
    }
    const isKnown = new Set(sent.map(({ idEnvio }) => idEnvio));
    const never = expected.filter(([id]) => !isKnown.has(String(id)));
    expect(never.map(([, , status]) => status)).not.toContain("REALIZADO");
    expect(expected.filter(([id]) => isKnown.has(String(id))).sort()).toEqual(recorded.sort());
    expect(out.map(({ status }) => status)).not.toContain("sending");

    const given = sent.filter(({ status }) => status === "REALIZADO");
    const cameBack = sent.reduce((sum, { devolucoes }) => sum + cents(devolucoes), 0);
    const held = -cents(pixes) + cents(back) + cents(given) - cameBack;
    expect((await clearing()) - before.clearing, "what the PSP has").toBe(held);
    const fees =
      rows.filter(({ endToEndId }) => endToEndId).reduce((sum, { fee }) => sum + Number(fee), 0) +
      asked.filter(({ status }) => status === "completed").length * REFUND_FEE +
      given.length * WITHDRAWAL_FEE;
    const sold = rows.filter(({ endToEndId }) => endToEndId).reduce((sum, { amount }) => sum + Number(amount), 0);
    const refunded = asked
      .filter(({ status }) => status === "completed")
      .reduce((sum, { amount }) => sum + Number(amount), 0);
    const gain = sold - refunded - cents(given) + cameBack - fees;
    expect(await readBalances(accountId)).toMatchObject({ available: before.available + gain, held: 0, blocked: 0 });
  }
}

/** The sales of earlier stories. */
const known = new Set<string>();

/** What our books say that the PSP has, in cents below zero. */
async function clearing(): Promise<number> {
  const text =
    "select coalesce(sum(amount), 0)::float8 as amount from ledger_entries where account_id = $1::uuid and kind = 'clearing:efi'";
  const [row] = await asSystem((tx) => tx.$queryRawUnsafe<{ amount: number }[]>(text, platforms.live));
  return row?.amount ?? 0;
}
