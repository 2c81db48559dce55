import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { forAccount, prisma, runPrepared } from "@/lib/db";
import { paymentWatch } from "@/lib/deposits/complete";
import { pollRail } from "@/lib/deposits/poll";
import { requestDeposit } from "@/lib/deposits/request";
import { env } from "@/lib/env";
import { newAlphanumeric, newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { centsOf } from "@/lib/money";
import { timeouts } from "@/lib/outside/http-client";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { watchCalls } from "@/lib/outside/watch-calls";
import { connectProvider } from "@/lib/providers/connect";
import { readProviders } from "@/lib/rails/pix/connected";
import type { PixPayouts } from "@/lib/rails/pix/payouts";
import type { PixRail } from "@/lib/rails/pix/port";
import { railNamed } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { reconcile } from "@/lib/reconcile/reconcile";
import { refundCall, refundCalls } from "@/lib/refunds/call";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { newEndToEndId, recordPix } from "@/lib/simulators/pix/records";
import type { serveApiPix } from "@/lib/testing/api-pix";
import { serveEfi } from "@/lib/testing/efi";
import { type Fault, faultNames, halfAnswers, type Planned, play, settleLate, takeFault } from "@/lib/testing/faults";
import { openHost } from "@/lib/testing/http";
import { serveInter } from "@/lib/testing/inter";
import { call, cashIn, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { approve, ask as askRefund, keyOf, letTimePass, STAFF } from "@/lib/testing/refunds";
import { historyOf } from "@/lib/testing/traces";
import { askedWithdrawal } from "@/lib/testing/withdrawals";
import * as clock from "@/lib/time/clock";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { payoutWatch } from "@/lib/withdrawals/payout-watch";
import { payoutsAt } from "@/lib/withdrawals/payouts-at";
import { lookAtPayouts } from "@/lib/withdrawals/poll";
import type { Mode } from "@/prisma/client/enums";

/** What the suite needs of a provider's test environment. */
type Opened = {
  mode: Mode;
  /** The next faults of requests to it. */
  planned: Planned[];
  /** Where it is asked for each thing. */
  places: Record<"code" | "received" | "list" | "sendBack" | "findSentBack", string>;
  /** A payer pays a code, or the key alone where it is nobody's. Resolves to the end-to-end id. */
  pay(txid: string, amount: number): Promise<string>;
  /** The payer's bank takes what was sent back, or does not. `id` is in letters and digits. */
  endSentBack(endToEndId: string, id: string, isCompleted: boolean): Promise<unknown>;
  /** Undefined where it sends no money to keys. */
  payouts?: {
    places: Record<"send" | "find", string>;
    end(id: string, isPaid: boolean): Promise<unknown>;
    giveBack(id: string, amount: number): Promise<unknown>;
    /** How many it has recorded under an id. */
    count(id: string): Promise<number>;
  };
  /** The callbacks that it owes since it was last asked for them: each sends one, with what it said then, as often as it is run. */
  owed(): Promise<(() => Promise<unknown>)[]>;
  /** What it has sent back of a payment, in cents. */
  sentBack(endToEndId: string): Promise<number[]>;
  /** How many it has recorded under a txid. */
  codesOf(txid: string): number;
  close(): Promise<unknown>;
};

/** The rails, with what each can do: make codes itself, and send money to keys. */
const benches: [provider: string, can: { makeCodes: boolean; sendPayouts: boolean }, open: () => Promise<Opened>][] = [
  ["simulator", { makeCodes: false, sendPayouts: true }, openSimulator],
  ["efi", { makeCodes: true, sendPayouts: true }, openEfi],
  ["inter", { makeCodes: true, sendPayouts: false }, openInter],
];
const host = openHost(routes.filter(({ path }) => /^\/(callbacks|simulator)\//.test(path)));
const hex = (id: string) => id.replaceAll("-", "");

async function openSimulator(): Promise<Opened> {
  const planned: Planned[] = [];
  const waiting: (() => Promise<unknown>)[] = [];
  const rail = await serveRail({
    async between(request, serve) {
      const { url, method, headers } = request;
      const { pathname } = new URL(url);
      const body = method === "GET" ? undefined : await request.text();
      const again = () => serve(new Request(url, { method, headers, ...(body !== undefined && { body }) }));
      if (!pathname.startsWith("/callbacks/"))
        return play(takeFault(planned, method, pathname), { ...halfAnswers, serve: again });
      waiting.push(again);
      return new Response("{}");
    },
  });
  const port = railNamed("simulator") as PixRail;
  const player = port.payouts?.simulate;
  return {
    ...{ mode: "sandbox", planned },
    places: {
      ...{ code: "", received: "GET /received/E", list: "GET /received" },
      ...{ sendBack: "PUT /devolucao/", findSentBack: "GET /devolucao/" },
    },
    async pay(txid, amount) {
      const payer = { name: "Ana Prado", document: "***.982.247-**", ispb: "99999999" };
      const paid = { end_to_end_id: newEndToEndId("99999999"), txid, key: PIX_KEY, amount, payer };
      await recordPix(paid);
      return paid.end_to_end_id;
    },
    endSentBack: async (endToEndId, id, isCompleted) => port.endSentBack?.({ endToEndId, id, isCompleted }),
    payouts: {
      places: { send: "PUT /payouts/", find: "GET /payouts/" },
      end: async (id, isPaid) => player?.endPayout({ id, isPaid }),
      giveBack: async (id, amount) => player?.returnPayout({ id, amount }),
      count: (id) => prisma().simulatorPayout.count({ where: { id: hex(id) } }),
    },
    async owed() {
      while (await sendNotices());
      return waiting.splice(0);
    },
    async sentBack(endToEndId) {
      const rows = await prisma().simulatorDevolucao.findMany({ where: { endToEndId }, orderBy: { createdAt: "asc" } });
      return rows.map(({ amount }) => Number(amount));
    },
    codesOf: () => 0,
    close: () => rail.close(),
  };
}

async function openEfi(): Promise<Opened> {
  const psp = await serveEfi();
  const opened = await openApiPix("efi", psp);
  const report = (id: string) => void opened.waiting.push(() => psp.report(id));
  return {
    ...opened,
    payouts: {
      places: { send: "PUT /gn/pix/", find: "GET /id-envio/" },
      async end(id, isPaid) {
        psp.end(id, isPaid);
        report(id);
      },
      async giveBack(id, amount) {
        psp.giveBack(id, amount);
        report(id);
      },
      count: async (id) => Number(psp.sent.has(hex(id))),
    },
  };
}

/** Its limit of calls is out of the way: each fault has a request or more. */
async function openInter(): Promise<Opened> {
  return openApiPix("inter", await serveInter({ calls_per_minute: 100_000 }));
}

/** A PSP that speaks the API Pix, connected as the staff does it. `waiting` are the callbacks that it owes. */
async function openApiPix(name: string, psp: Awaited<ReturnType<typeof serveApiPix>>) {
  const planned: Planned[] = [];
  Object.assign(env, { APP_URL: host.url, SIMULATOR_URL: host.url });
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name, title: name, ...settings }));
  await runPrepared("t-connected", "update pix_providers set created_at = now() - interval '60 days'", []);
  await readProviders();
  psp.between = async ({ method, path }, serve) =>
    play(takeFault(planned, method, path), {
      serve,
      answer: (status) => ({ status }),
      reset: () => undefined as never,
    });
  const waiting: (() => Promise<unknown>)[] = [];
  /** As it is now: a callback that is late tells of then. */
  function owe(endToEndId: string) {
    const then = structuredClone(psp.pixes.get(endToEndId) ?? {});
    waiting.push(() => psp.callBack(then));
  }
  return {
    ...{ mode: "live", planned, waiting },
    places: {
      ...{ code: "PUT /cob/", received: "GET /pix/E", list: "GET /pix" },
      ...{ sendBack: "PUT /devolucao/", findSentBack: "GET /devolucao/" },
    },
    async pay(txid, amount) {
      const { endToEndId } = psp.pay({ txid, amount });
      owe(endToEndId);
      return endToEndId;
    },
    async endSentBack(endToEndId, id, isCompleted) {
      psp.endReturn(endToEndId, id, isCompleted);
      owe(endToEndId);
    },
    owed: async () => waiting.splice(0),
    sentBack: async (endToEndId) =>
      (psp.pixes.get(endToEndId)?.devolucoes ?? []).map(({ valor }) => centsOf(valor) ?? 0),
    codesOf: (txid) => Number(psp.cobs.has(txid)),
    close: () => psp.close(),
  } satisfies Opened & { waiting: unknown };
}

/** What a caller gets of one request, by its fault: an answer, nothing, or nothing of what may have been done. */
const answersOf: Record<Fault, "answer" | "unknown"> = {
  ...{ slow: "answer", "arrives twice": "answer", lost: "unknown", "never arrives": "unknown" },
  ...{ "500": "unknown", "served, then 502": "unknown", "reset before": "unknown", "reset after": "unknown" },
  "arrives late": "unknown",
};
const each = faultNames.map((fault) => [fault, answersOf[fault]] as const);

/** In which way callbacks come. */
const comings = [
  "once",
  "twice at once",
  "in another order",
  "late, when all has been found without them",
  "never",
] as const;

const HASTY = { callMs: 200, findMs: 200 };

describe.each(benches)("the rail %s", (provider, can, open) => {
  let at: Opened;
  let drop: () => Promise<void>;
  let rail: PixRail;
  const usual = { ...timeouts };
  beforeAll(async () => {
    drop = await openOwnDatabase(); // a provider is of all accounts, and this money pays no sales
    at = await open();
    rail = railNamed(provider) as PixRail;
  });
  afterAll(async () => {
    await at.close();
    await drop();
  });
  afterEach(async () => {
    at.planned.length = 0;
    await settleLate();
  });

  /** What a call gives, or "unknown" where it throws. Only who gets no answer is in haste: a busy machine is slow too. */
  async function told<T>(gives: "answer" | "unknown", call: () => Promise<T>) {
    if (gives === "unknown") Object.assign(timeouts, HASTY);
    const given = await call().catch(() => "unknown" as const);
    Object.assign(timeouts, usual);
    return given;
  }
  const plan = (place: keyof Opened["places"], fault: Fault) => planAt(at.places[place], fault);
  const planAt = (place: string, fault: Fault) => void at.planned.push({ at: place, fault });
  const aPayment = () => at.pay(newAlphanumeric(26), 10_000);
  const inList = async (endToEndId: string) => {
    const found: Receipt[] = [];
    for await (const one of rail.receivedWithin(new Date(Date.now() - 60_000), new Date(Date.now() + 1_000)))
      found.push(one);
    return found.filter((one) => one.endToEndId === endToEndId);
  };

  // The first, because the money of the others pays no sales.
  test.each(comings)(
    "a deposit, its refunds and a withdrawal end in the same cents where callbacks come: %s",
    async (how) => {
      await at.owed();
      const made = await makeAccount({ mode: at.mode, feeBasisPoints: 200 });
      const later: (() => Promise<unknown>)[] = [];
      const { identifier } = await requestDeposit(made.account, cashIn(), call());
      const sale = () =>
        forAccount(made.accountId, (tx) => tx.transaction.findFirstOrThrow({ where: { id: identifier } }));
      const endToEndId = await at.pay((await sale()).txid ?? "", 10_000);
      await hear();
      expect(await sale()).toMatchObject({ status: "completed", endToEndId });
      const refunds = [];
      for (const isCompleted of [true, false]) {
        const refund = await askRefund(made, identifier, { amount: "30.00" });
        const { id } = keyOf(made, refund);
        await approve(made, refund);
        await makeDueCalls(refundCalls);
        await at.endSentBack(endToEndId, hex(id), isCompleted);
        await hear();
        refunds.push((await historyOf(made.accountId, id)).at(-1));
      }
      expect(refunds).toEqual(["processing → completed", "processing → failed"]);
      if (at.payouts) await withdraw(at.payouts);
      for (const one of later) await one();
      await work();
      const withdrawals = await forAccount(made.accountId, (tx) => tx.withdrawal.findMany());
      const { fee } = await forAccount(made.accountId, (tx) => tx.refund.findFirstOrThrow());
      const left = withdrawals.reduce((sum, one) => sum + Number(one.returnedAmount - one.fee), -Number(fee));
      expect(withdrawals).toMatchObject(at.payouts ? [{ status: "paid", returnedAmount: 400n }] : []);
      const { available, held, blocked } = await readBalances(made.accountId);
      expect([available, held, blocked]).toEqual([9_800 - 3_000 + left, 0, 0]);
      expect(await at.sentBack(endToEndId)).toEqual([3_000, 3_000]);
      expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);

      /** Money leaves, and a part of it comes back. */
      async function withdraw({ end, giveBack }: NonNullable<Opened["payouts"]>) {
        const id = await askedWithdrawal(made, { amount: 10, description: "x" });
        await makeDueCalls([withdrawalCall]);
        await end(id, true);
        await hear();
        await giveBack(id, 400);
        await hear();
      }

      /** The callbacks that are owed come, and what they wake is done; where they do not, the loops look by themselves. */
      async function hear() {
        const owed = await at.owed();
        if (how === "late, when all has been found without them") later.push(...owed);
        if (how === "in another order") later.unshift(...owed);
        if (how === "once") for (const one of owed) await one();
        if (how === "twice at once") await Promise.all([...owed, ...owed].map((one) => one()));
        if (how === "in another order") for (const one of later) await one();
        if (how === "late, when all has been found without them" || how === "never") await look();
        await work();
      }

      async function look() {
        await pollRail(rail, 60_000, -1_000);
        await letTimePass(16);
        while (await makeDueCalls([...refundCalls, withdrawalCall]));
        const now = Date.now() + 30_000; // nothing is so young that its callback is waited for
        vi.spyOn(clock, "realNow").mockImplementation(() => new Date(now));
        await runPrepared("t-look", "update rail_looks set look_at = now()", []);
        await lookAtPayouts();
        vi.restoreAllMocks();
      }

      async function work() {
        for (let round = 0; round < 2; round += 1)
          while (await askDue([paymentWatch, watchCalls(refundCall), payoutWatch]));
      }
    },
  );

  test.each(each)("a payment is read whole or not at all: %s", async (fault, gives) => {
    const endToEndId = await aPayment();
    plan("received", fault);
    plan("list", fault);
    const receipt = expect.objectContaining({ endToEndId, amount: 10_000 });
    expect(await told(gives, () => rail.received(endToEndId))).toEqual(gives === "answer" ? receipt : "unknown");
    expect(await told(gives, () => inList(endToEndId))).toEqual(gives === "answer" ? [receipt] : "unknown");
    expect([await rail.received(endToEndId), await inList(endToEndId)]).toEqual([receipt, [receipt]]);
    expect(await rail.received(`E${newAlphanumeric(31)}`)).toBeNull();
  });

  test.each(each)("what is sent back is sent once under our id, in parts: %s", async (fault, gives) => {
    const endToEndId = await aPayment();
    const parts = [4_000, 6_000].map((amount) => ({ endToEndId, amount, id: hex(newId()) }));
    for (const part of parts) {
      expect(await rail.findSentBack(part)).toBeNull();
      plan("sendBack", fault);
      expect(await told(gives, () => rail.sendBack(part))).toEqual(
        gives === "answer" ? { status: "accepted" } : "unknown",
      );
      plan("findSentBack", fault);
      await told(gives, () => rail.findSentBack(part));
      at.planned.length = 0;
      await settleLate();
      expect(await rail.sendBack({ ...part, isRepeat: true })).toEqual({ status: "accepted" });
      expect(await rail.findSentBack(part)).toEqual({ status: "accepted" });
    }
    expect(await at.sentBack(endToEndId)).toEqual([4_000, 6_000]);
    expect(await rail.sendBack({ endToEndId, amount: 1, id: hex(newId()) })).toMatchObject({ status: "failed" });
    for (const [nth, { id }] of parts.entries()) await at.endSentBack(endToEndId, id, nth === 0);
    expect(await Promise.all(parts.map((part) => rail.findSentBack(part)))).toEqual([
      { status: "completed", returnId: expect.stringMatching(/^D\w{31}$/) },
      expect.objectContaining({ status: "failed" }),
    ]);
    await at.owed();
  });

  test("says by its members what it can do", () =>
    expect({ makeCodes: Boolean(rail.requestCode), sendPayouts: Boolean(rail.payouts) }).toEqual(can));

  if (!can.sendPayouts)
    test("a payout is refused before anything of it is written or held", async () => {
      const made = await makeAccount({ mode: at.mode });
      await expect(askedWithdrawal(made)).rejects.toMatchObject({ code: "rail_not_configured" });
      expect(await forAccount(made.accountId, (tx) => tx.withdrawal.count())).toBe(0);
      expect(await readBalances(made.accountId)).toMatchObject({ available: 1_000, held: 0 });
      expect(() => payoutsAt(provider)).toThrow();
    });

  test.each(can.sendPayouts ? each : [])(
    "a payout is made once under our id, and what became of it is found: %s",
    async (fault, gives) => {
      const [payouts, psp] = [rail.payouts, at.payouts] as [PixPayouts, NonNullable<Opened["payouts"]>];
      const order = {
        id: newId(),
        type: "EMAIL",
        key: "ana@loja.example",
        amount: 5_000,
        document: "52998224725",
      } as const;
      expect(await payouts.findPayout(order.id)).toBeNull();
      planAt(psp.places.send, fault);
      expect(await told(gives, () => payouts.sendPayout(order))).toEqual(
        gives === "answer" ? { status: "accepted" } : "unknown",
      );
      planAt(psp.places.find, fault);
      await told(gives, () => payouts.findPayout(order.id));
      at.planned.length = 0;
      await settleLate();
      const isMade = (await psp.count(order.id)) > 0;
      expect(await payouts.findPayout(order.id)).toEqual(isMade ? expect.objectContaining({ amount: 5_000 }) : null);
      expect(await payouts.sendPayout(order)).toEqual({ status: "accepted" });
      expect(await psp.count(order.id)).toBe(1);
      await psp.end(order.id, true);
      await psp.giveBack(order.id, 2_000);
      await psp.giveBack(order.id, 3_000);
      const found = await payouts.findPayout(order.id);
      expect(found).toMatchObject({ answer: { status: "paid" }, returns: [{ amount: 2_000 }, { amount: 3_000 }] });
    },
  );

  test.each(each)("a code is made once under its txid: %s", async (fault, gives) => {
    const { requestCode } = rail;
    if (!requestCode) return expect(rail.issueCode).toBeDefined(); // it is written here, without a request
    const asked = { txid: newAlphanumeric(32), amount: 10_000 };
    plan("code", fault);
    const request = { ...asked, accountId: newId(), merchantName: "Loja", merchantCity: "Recife", validMs: 3_600_000 };
    const issued = { status: "issued", code: expect.stringMatching(/^000201/) };
    expect(await told(gives, () => requestCode(request))).toEqual(gives === "answer" ? issued : "unknown");
    await settleLate();
    const isMade = at.codesOf(asked.txid) > 0;
    expect(await rail.findCode(asked)).toEqual(isMade ? issued : null);
    if (isMade) await expect(rail.findCode({ ...asked, amount: 1 })).rejects.toThrow();
  });
});
