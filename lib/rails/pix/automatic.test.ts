import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { runPrepared, transactionFor } from "@/lib/db";
import { env } from "@/lib/env";
import { createHost } from "@/lib/http/host";
import { newAlphanumeric, newId } from "@/lib/ids";
import { timeouts } from "@/lib/outside/http-client";
import { askDue, claimWatches, readEach, type WatchKind, watch, writeEach } from "@/lib/outside/watch";
import { connectProvider } from "@/lib/providers/connect";
import type { AutomaticPix, AutomaticSimulation, Debit, Mandate, MandateOffer } from "@/lib/rails/pix/automatic";
import { bacen } from "@/lib/rails/pix/bacen/adapter";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { parseBrCode } from "@/lib/rails/pix/brcode";
import type { PixRail } from "@/lib/rails/pix/port";
import { railNamed } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { serveApiPix } from "@/lib/testing/api-pix";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { freePort } from "@/lib/testing/program";
import { serveRail, whileDown } from "@/lib/testing/rail";
import { STAFF } from "@/lib/testing/refunds";

/** What the suite needs of a provider's test environment. */
type Bench = {
  open(): Promise<Opened>;
  /** Runs work while the provider does what it is asked and then answers too late. */
  whileLate<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work while the provider accepts no connection. */
  whileAway<T>(work: () => Promise<T>): Promise<T>;
  /** Sends the callbacks that the provider owes; `lose` has each of them fail this time. */
  notify(how?: { lose: boolean }): Promise<unknown>;
  /** Has the provider owe the callback about a mandate once more. */
  oweAgain(mandateId: string): Promise<unknown>;
  /** Whether the provider itself sees to it that a contract has one mandate. */
  isOneAtOnce: boolean;
  /** What it says of the receiver in a code, and of the payer in a payment. */
  names: { merchantName: string; payer: object };
};

type Opened = {
  rail: Pick<PixRail, "received" | "receivedWithin" | "pay">;
  port: AutomaticPix;
  payer: AutomaticSimulation;
  close(): Promise<unknown>;
};

const benches: Record<string, Bench> = { simulator: simulatorBench(), psp: bacenBench() };

async function inShortTime<T>(work: () => Promise<T>, after: () => void): Promise<T> {
  const { callMs, findMs } = timeouts;
  Object.assign(timeouts, { callMs: 150, findMs: 150 });
  return work().finally(() => {
    after();
    Object.assign(timeouts, { callMs, findMs });
  });
}

function simulatorBench(): Bench {
  let server: Awaited<ReturnType<typeof serveRail>>;
  return {
    async open() {
      const drop = await openOwnDatabase(); // this money pays no sales, so the run's last reconcile must not read it
      server = await serveRail();
      const rail = railNamed("simulator") as PixRail;
      const port = rail.automatic as AutomaticPix;
      const payer = port.simulate as AutomaticSimulation;
      return { rail, port, payer, close: () => server.close().then(drop) };
    },
    async whileLate(work) {
      server.late.ms = 400;
      return inShortTime(work, () => {
        server.late.ms = 0;
      });
    },
    whileAway: whileDown,
    async notify({ lose } = { lose: false }) {
      if (lose) await runPrepared("t-lose-recs", "update simulator_recs set notify_at = null, attempts = 20", []);
      if (lose) await runPrepared("t-lose-cobrs", "update simulator_cobrs set notify_at = null, attempts = 20", []);
      while (await sendNotices());
    },
    oweAgain: (mandateId) =>
      runPrepared("t-again", "update simulator_recs set notify_at = now() where id_rec = $1", [mandateId]),
    isOneAtOnce: true,
    names: { merchantName: "Livraria Sao Joao", payer: { name: "Ana Conceição", document: "52998224725" } },
  };
}

/** A PSP of the Central Bank's API Pix. It goes by its own clock, which here is that of each request. */
function bacenBench(): Bench {
  let psp: Awaited<ReturnType<typeof serveApiPix>>;
  let settings: BacenSettings;
  return {
    async open() {
      const drop = await openOwnDatabase();
      psp = await serveApiPix({ isLenient: true });
      settings = { ...psp.settings };
      const host = createHost(routes.filter(isCallback), (_, response) => response.writeHead(404).end());
      await new Promise<void>((listening) => host.listen(0, "127.0.0.1", listening));
      const { APP_URL } = env;
      Object.assign(env, { APP_URL: `http://127.0.0.1:${(host.address() as AddressInfo).port}` });
      const { callback_secret: _, ...given } = psp.settings;
      await actAs(STAFF, () => connectProvider({ name: "psp", title: "PSP", ...given }));
      const rail = bacen(
        "psp",
        () => settings,
        () => new Date(0),
      );
      const pay: PixRail["pay"] = async (payment) =>
        (await rail.received(psp.automatic.payCode(payment).endToEndId)) as Receipt;
      const close = async () => {
        Object.assign(env, { APP_URL });
        await new Promise((closed) => host.close(closed));
        host.closeAllConnections();
        await psp.close();
        await drop();
      };
      const port = onItsClock(rail.automatic as AutomaticPix, psp.automatic.clock);
      return { rail: { ...rail, pay }, port, payer: psp.automatic.payer, close };
    },
    async whileLate(work) {
      psp.between = async ({ method, path }, serve) => {
        const answer = serve();
        if (method !== "GET" && path !== "/locrec") await sleep(400);
        return answer;
      };
      return inShortTime(work, () => {
        psp.between = undefined;
      });
    },
    async whileAway(work) {
      const before = settings;
      settings = { ...before, base_url: `https://127.0.0.1:${await freePort()}` };
      return work().finally(() => {
        settings = before;
      });
    },
    async notify({ lose } = { lose: false }) {
      if (lose) psp.automatic.forget();
      else await psp.automatic.notify();
    },
    oweAgain: async (mandateId) => psp.automatic.owed.recs.add(mandateId),
    isOneAtOnce: false,
    names: { merchantName: "PSP", payer: { name: null, document: null } },
  };
}

const isCallback = ({ path }: { path: string }) => path.startsWith("/callbacks/");

/** The port, with the provider's clock set to the time of each request. */
const onItsClock = (port: AutomaticPix, clock: { at: Date | undefined }): AutomaticPix =>
  new Proxy(port, {
    get(target, name: keyof AutomaticPix) {
      const verb = target[name];
      if (typeof verb !== "function") return verb;
      return (asked: { at?: Date }) => {
        if (asked?.at) clock.at = asked.at;
        return (verb as (asked: unknown) => unknown)(asked);
      };
    },
  });

const DAY_MS = 86_400_000;
const NOON = Date.parse("2027-01-04T15:00:00Z");
/** An instant that many days after the first Monday of 2027, by the clock of an account. */
const on = (days: number) => new Date(NOON + days * DAY_MS);
const day = (days: number) => on(days).toISOString().slice(0, 10);
const newTxid = () => newAlphanumeric(32);

const anOffer = (more: Partial<MandateOffer> = {}): MandateOffer => ({
  contract: newId().replaceAll("-", ""),
  period: "monthly",
  firstDate: day(10),
  amount: 4_990,
  description: "Clube do Livro, assinatura mensal de quem lê muito",
  debtor: { name: "Ana Conceição", document: "52998224725" },
  accountId: newId(),
  merchantName: "Livraria São João",
  merchantCity: "São Paulo",
  at: on(0),
  ...more,
});

const aFirst = () => ({ txid: newTxid(), amount: 1_990, validMs: DAY_MS });

describe.each(Object.entries(benches))("Pix Automático at %s", (provider, bench) => {
  let rail: Opened["rail"];
  let port: AutomaticPix;
  let payer: AutomaticSimulation;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ rail, port, payer, close } = await bench.open());
  });
  afterAll(() => close());

  async function offered(more?: Partial<MandateOffer>) {
    const answer = await port.offerMandate(anOffer(more));
    if (answer.status !== "offered") throw new Error(`Not offered: ${JSON.stringify(answer)}`);
    return answer;
  }

  async function approved(more?: Partial<MandateOffer>): Promise<string> {
    const { mandateId } = await offered(more);
    await payer.authorise(mandateId);
    return mandateId;
  }

  const anOrder = (mandateId: string, more = {}) => {
    return { txid: newTxid(), mandateId, amount: 4_990, dueDate: day(10), at: on(2), ...more };
  };

  async function instructed(more = {}): Promise<Debit> {
    const mandateId = await approved();
    const debit = await port.instructDebit(anOrder(mandateId, more));
    if (!("attempts" in debit)) throw new Error(`Not instructed: ${JSON.stringify(debit)}`);
    return debit;
  }

  const read = async (txid: string) => (await port.readDebit(txid)) as Debit;

  describe("a mandate", () => {
    test("with a first payment: one code pays it and authorises, and the money arrives as any other", async () => {
      const first = aFirst();
      const { mandateId, code } = await offered({ first });
      const parsed = parseBrCode(code);
      expect(parsed).toMatchObject({
        ...{ key: null, txid: null, reusable: false },
        merchantName: bench.names.merchantName,
      });
      expect([parsed.url, parsed.recurrenceUrl]).toEqual([expect.any(String), expect.stringContaining("/rec/")]);
      expect(await port.readMandate(mandateId)).toMatchObject({ status: "created", cancelledBy: null, reason: null });

      const receipt = await rail.pay?.({ code });

      expect(receipt).toMatchObject({ txid: first.txid, amount: first.amount });
      expect(await rail.received(receipt?.endToEndId ?? "")).toEqual(receipt);
      expect(await port.readMandate(mandateId)).toMatchObject({ status: "approved" });
    });

    test("its code pays once: again, at once, or with another amount is refused, and a repeat under one id is not", async () => {
      const { code } = await offered({ first: aFirst() });
      const pay = (more = {}) => rail.pay?.({ code, ...more }) ?? Promise.reject(new Error("no payer"));
      await expect(pay({ amount: 1 })).rejects.toThrow();
      const endToEndId = `E12345678202701041200${newAlphanumeric(11)}`;
      const race = await Promise.allSettled([pay({ endToEndId }), pay({ endToEndId }), pay(), pay()]);
      const paid = race.filter(({ status }) => status === "fulfilled");
      expect(new Set(paid.map((one) => JSON.stringify(one))).size).toBe(1);
      await expect(pay()).rejects.toThrow();
    });

    test("without a first payment: its code asks only to authorise", async () => {
      const { mandateId, code } = await offered();
      expect(parseBrCode(code)).toMatchObject({
        key: null,
        url: null,
        amount: null,
        recurrenceUrl: expect.any(String),
      });
      await expect(rail.pay?.({ code, amount: 100 })).rejects.toThrow();
      await payer.authorise(mandateId);
      expect(await port.readMandate(mandateId)).toMatchObject({ status: "approved" });
    });

    test.each(["weekly", "monthly", "quarterly", "semiannual", "annual"] as const)("may be %s", async (period) => {
      expect(await port.offerMandate(anOffer({ period }))).toMatchObject({ status: "offered" });
    });

    test("offered again under its contract, where the provider sees to it also at once, is one, and found by it", async () => {
      const offer = anOffer({ first: aFirst() });
      const answers = await Promise.all(
        Array(bench.isOneAtOnce ? 3 : 1)
          .fill(0)
          .map(() => port.offerMandate(offer)),
      );
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: "offered" });
      expect(await port.findMandate(offer)).toEqual(answers[0]);
      expect(await port.offerMandate(offer)).toEqual(answers[0]);
    });

    test("may be described by any text, or by none", async () => {
      for (const description of ["", "📚".repeat(40), "x".repeat(500)]) {
        expect(await port.offerMandate(anOffer({ description }))).toMatchObject({ status: "offered" });
      }
    });

    test("with other terms under a contract is refused, and the first one stays", async () => {
      const offer = anOffer();
      const first = await port.offerMandate(offer);
      for (const more of [{ amount: 1 }, { amount: null }, { period: "annual" as const }, { firstDate: day(11) }]) {
        expect(await port.offerMandate({ ...offer, ...more })).toMatchObject({ status: "refused" });
      }
      expect(await port.findMandate(offer)).toEqual(first);
    });

    test("with a date in the past, no name, or a malformed contract, txid or document is refused", async () => {
      const wrong: Partial<MandateOffer>[] = [
        { firstDate: day(-1) },
        { firstDate: "2027-02-30" },
        { contract: "a-b" },
        { contract: "x".repeat(36) },
        { debtor: { name: "", document: "52998224725" } },
        { debtor: { name: "Ana", document: "1" } },
        { amount: 0 },
        { first: { ...aFirst(), txid: "short" } },
        { first: { ...aFirst(), txid: ".." } },
        { first: { ...aFirst(), amount: 0 } },
      ];
      for (const more of wrong) {
        const offer = anOffer(more);
        expect(await port.offerMandate(offer), JSON.stringify(more)).toMatchObject({
          status: "refused",
          reason: expect.stringMatching(/./),
        });
        expect(await port.findMandate(offer)).toBeNull();
      }
    });

    test("that the payer refuses is rejected, with a reason", async () => {
      const { mandateId } = await offered();
      await payer.refuse(mandateId);
      expect(await port.readMandate(mandateId)).toMatchObject({ status: "rejected", reason: expect.any(String) });
      await expect(payer.authorise(mandateId)).rejects.toThrow();
      expect(await port.cancelMandate(mandateId)).toMatchObject({ status: "refused" });
    });

    test("that nobody authorises expires after its first date", async () => {
      const { mandateId } = await offered();
      expect(await payer.passDays([mandateId], on(10))).toEqual({ mandateIds: [], txids: [] });
      expect(await payer.passDays([mandateId], on(11))).toEqual({ mandateIds: [mandateId], txids: [] });
      expect(await port.readMandate(mandateId)).toMatchObject({ status: "expired" });
    });

    test("cancelled names who did it, whichever side was first, and its code pays no more", async () => {
      const { mandateId, code } = await offered({ first: aFirst() });
      expect(await port.cancelMandate(mandateId)).toMatchObject({ status: "cancelled", cancelledBy: "receiver" });
      expect(await port.cancelMandate(mandateId)).toMatchObject({ status: "cancelled", cancelledBy: "receiver" });
      await expect(rail.pay?.({ code })).rejects.toThrow();

      const other = await approved();
      await payer.cancel(other);
      expect(await port.cancelMandate(other)).toMatchObject({ status: "cancelled", cancelledBy: "payer" });
      expect(await port.readMandate(other)).toMatchObject({ status: "cancelled", cancelledBy: "payer" });
    });

    test("that the rail does not know is null, and cannot be cancelled", async () => {
      for (const id of [`RR9999999920270104${newAlphanumeric(11)}`, "", "../rec", "..", "a/b", "\u0000", "%"]) {
        expect(await port.readMandate(id)).toBeNull();
        expect(await port.cancelMandate(id)).toMatchObject({ status: "refused" });
      }
      expect(await port.findMandate(anOffer())).toBeNull();
    });
  });

  describe("a debit", () => {
    test("is created, accepted, and on its day paid: its end-to-end id is that of the money", async () => {
      const { txid, mandateId, ...created } = await instructed();
      const first = { date: day(10), kind: "first", reason: null };
      expect(created).toEqual({
        amount: 4_990,
        dueDate: day(10),
        status: "created",
        endToEndId: null,
        cancelledBy: null,
        reason: null,
        attempts: [{ ...first, status: "requested" }],
      });
      expect(await payer.passDays([mandateId], on(9))).toEqual({ mandateIds: [], txids: [txid] });
      expect(await read(txid)).toMatchObject({ status: "active", attempts: [{ ...first, status: "scheduled" }] });

      expect(await payer.passDays([mandateId], on(10))).toEqual({ mandateIds: [], txids: [txid] });
      expect(await payer.passDays([mandateId], on(10))).toEqual({ mandateIds: [], txids: [] });

      const paid = await read(txid);
      expect(paid).toMatchObject({ status: "concluded", attempts: [{ ...first, status: "paid" }] });
      const { payer: names } = bench.names;
      expect(await rail.received(paid.endToEndId ?? "")).toMatchObject({ txid, amount: 4_990, payer: names });
    });

    test("instructed again, also at once, is one", async () => {
      const order = anOrder(await approved());
      const answers = await Promise.all([1, 2, 3].map(() => port.instructDebit(order)));
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
      await payer.passDays([order.mandateId], on(10));
      expect(await port.instructDebit(order)).toMatchObject({ status: "concluded" });
      expect(await port.instructDebit({ ...order, dueDate: day(11) })).toMatchObject({ status: "refused" });
    });

    test("days that pass twice at once pay it once", async () => {
      const { txid, mandateId } = await instructed();
      const changed = await Promise.all([1, 2, 3].map(() => payer.passDays([mandateId], on(10))));
      expect(changed.flatMap(({ txids }) => txids)).toEqual([txid]);
      const received = [];
      for await (const receipt of rail.receivedWithin(new Date(Date.now() - 60_000), new Date(Date.now() + 60_000))) {
        if (receipt.txid === txid) received.push(receipt);
      }
      expect(received).toHaveLength(1);
    });

    test("is refused unless it is due in 2 to 10 days, for the mandate's amount, of an approved mandate", async () => {
      const mandateId = await approved();
      const open = (await offered()).mandateId;
      const wrong = [
        { at: on(-1) },
        { at: on(9) },
        { at: on(11) },
        { amount: 4_991 },
        { amount: 0 },
        { dueDate: day(9) },
        { dueDate: "2027-02-30" },
        { txid: "short" },
        { mandateId: open },
        { mandateId: "nobody" },
      ];
      for (const more of wrong) {
        const order = anOrder(mandateId, more);
        expect(await port.instructDebit(order), JSON.stringify(more)).toMatchObject({
          status: "refused",
          reason: expect.stringMatching(/./),
        });
        expect(await port.readDebit(order.txid)).toBeNull();
      }
      for (const at of [on(0), on(8)])
        expect(await port.instructDebit(anOrder(await approved(), { at }))).toMatchObject({
          status: "created",
        });
    });

    test("names its own amount where the mandate has none", async () => {
      const mandateId = await approved({ amount: null });
      expect(await port.instructDebit(anOrder(mandateId, { amount: 7 }))).toMatchObject({
        status: "created",
        amount: 7,
      });
    });

    test.each([
      ["weekly", "2027-01-14", ["2027-01-14", "2027-01-21"], "2027-01-27"],
      ["monthly", "2027-01-31", ["2027-01-31", "2027-02-28", "2027-03-31"], "2027-04-29"],
      ["quarterly", "2027-01-31", ["2027-01-31", "2027-04-30", "2027-07-31"], "2027-10-30"],
      ["annual", "2028-02-29", ["2028-02-29", "2029-02-28"], "2030-02-27"],
    ] as const)(
      "%s from %s: one in each cycle, %j, and no second one on %s",
      async (period, firstDate, dues, second) => {
        const mandateId = await approved({ period, firstDate });
        const instruct = (dueDate: string) => {
          return port.instructDebit(
            anOrder(mandateId, { dueDate, at: new Date(Date.parse(`${dueDate}T15:00:00Z`) - 5 * DAY_MS) }),
          );
        };
        for (const due of dues) expect(await instruct(due)).toMatchObject({ status: "created" });
        expect(await instruct(second)).toMatchObject({ status: "refused" });
      },
    );

    test("that was cancelled leaves its cycle free", async () => {
      const debit = await instructed();
      expect(await port.cancelDebit({ txid: debit.txid, at: on(9) })).toMatchObject({
        status: "cancelled",
        cancelledBy: "receiver",
        attempts: [{ status: "cancelled" }],
      });
      expect(await port.cancelDebit({ txid: debit.txid, at: on(9) })).toMatchObject({ status: "cancelled" });
      expect(await payer.passDays([debit.mandateId], on(10))).toEqual({ mandateIds: [], txids: [] });
      expect(await port.instructDebit(anOrder(debit.mandateId))).toMatchObject({ status: "created" });
    });

    test("is not cancelled from the day of its first attempt on", async () => {
      const { txid } = await instructed();
      expect(await port.cancelDebit({ txid, at: on(10) })).toMatchObject({ status: "refused" });
      expect(await read(txid)).toMatchObject({ status: "created" });
    });

    test("without money is tried again when we ask, three times at most, and then expires", async () => {
      const { txid, mandateId } = await instructed();
      await payer.setAccount(mandateId, "none");
      await payer.passDays([mandateId], on(10));
      expect(await read(txid)).toMatchObject({ status: "active", attempts: [{ status: "expired" }] });

      for (const days of [11, 13, 14]) {
        const retry = { txid, date: day(days), at: on(days - 1) };
        const asked = await Promise.all([port.retryDebit(retry), port.retryDebit(retry)]);
        for (const answer of asked) expect(answer).toMatchObject({ status: "active" });
        expect((await read(txid)).attempts.at(-1)).toMatchObject({
          date: day(days),
          kind: "retry",
          status: "requested",
        });
        await payer.passDays([mandateId], on(days));
      }

      const over = await read(txid);
      expect(over).toMatchObject({ status: "expired", endToEndId: null });
      expect(over.attempts.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
        "first expired",
        ...Array(3).fill("retry expired"),
      ]);
      expect(await port.retryDebit({ txid, date: day(14), at: on(14) })).toMatchObject({ status: "expired" }); // a repeat
      expect(await port.retryDebit({ txid, date: day(16), at: on(15) })).toMatchObject({ status: "refused" });
    });

    test("is paid by a retry once there is money", async () => {
      const { txid, mandateId } = await instructed();
      await payer.setAccount(mandateId, "none");
      await payer.passDays([mandateId], on(10));
      await payer.setAccount(mandateId, "enough");
      await port.retryDebit({ txid, date: day(12), at: on(10) });
      await payer.passDays([mandateId], on(11));
      expect(await read(txid)).toMatchObject({ status: "active", attempts: [{}, { status: "scheduled" }] });
      await payer.passDays([mandateId], on(12));
      expect(await read(txid)).toMatchObject({
        status: "concluded",
        attempts: [{ status: "expired" }, { status: "paid" }],
      });
    });

    test("is not tried again today, later than 7 days, while an attempt is open, or when it is over", async () => {
      const { txid, mandateId } = await instructed();
      const retry = (days: number, at: number) => port.retryDebit({ txid, date: day(days), at: on(at) });
      expect(await retry(12, 9)).toMatchObject({ status: "refused" });
      await payer.setAccount(mandateId, "none");
      await payer.passDays([mandateId], on(10));
      expect(await retry(10, 10)).toMatchObject({ status: "refused" });
      expect(await retry(18, 10)).toMatchObject({ status: "refused" });
      await payer.passDays([mandateId], on(17));
      expect(await read(txid)).toMatchObject({ status: "expired" });
      expect(await retry(17, 16)).toMatchObject({ status: "refused" });
    });

    test("of a closed account is rejected for good, with a reason", async () => {
      const { txid, mandateId } = await instructed();
      await payer.setAccount(mandateId, "closed");
      await payer.passDays([mandateId], on(10));
      const reason = expect.any(String);
      expect(await read(txid)).toMatchObject({
        status: "rejected",
        reason,
        attempts: [{ status: "rejected", reason }],
      });
    });

    test("stays open while the payer's bank is away, and is paid when it is back", async () => {
      const { txid, mandateId } = await instructed();
      await payer.setAccount(mandateId, "away");
      expect(await payer.passDays([mandateId], on(12))).toEqual({ mandateIds: [], txids: [] });
      expect(await read(txid)).toMatchObject({ status: "created" });
      await payer.setAccount(mandateId, "enough");
      await payer.passDays([mandateId], on(12));
      expect(await read(txid)).toMatchObject({ status: "concluded" });
    });

    test.each(["payer", "receiver"] as const)("under way is cancelled with its mandate by the %s", async (side) => {
      const { txid, mandateId } = await instructed();
      await payer.passDays([mandateId], on(9));
      if (side === "payer") await payer.cancel(mandateId);
      else await port.cancelMandate(mandateId);
      expect(await read(txid)).toMatchObject({
        status: "cancelled",
        cancelledBy: side,
        attempts: [{ status: "cancelled" }],
      });
      await payer.passDays([mandateId], on(10));
      expect(await read(txid)).toMatchObject({ status: "cancelled", endToEndId: null });
    });

    test("that is paid while its mandate is cancelled is one of both, and the money says which", async () => {
      const debits = await Promise.all(Array.from({ length: 6 }, () => instructed()));
      await Promise.all(
        debits.flatMap(({ mandateId }) => [payer.cancel(mandateId), payer.passDays([mandateId], on(10))]),
      );
      for (const { txid, mandateId } of debits) {
        expect(await port.readMandate(mandateId)).toMatchObject({ status: "cancelled", cancelledBy: "payer" });
        const { status, endToEndId } = await read(txid);
        expect(["concluded", "cancelled"]).toContain(status);
        expect(endToEndId !== null).toBe(status === "concluded");
        if (endToEndId) expect(await rail.received(endToEndId)).toMatchObject({ txid });
      }
    });

    test("that the rail does not know is null, and is neither cancelled nor tried again", async () => {
      for (const txid of [newTxid(), "", "../cobr", "..", "a/b", "\u0000", "%"]) {
        expect(await port.readDebit(txid)).toBeNull();
        expect(await port.cancelDebit({ txid, at: on(0) })).toMatchObject({ status: "refused" });
        expect(await port.retryDebit({ txid, date: day(3), at: on(0) })).toMatchObject({ status: "refused" });
      }
    });
  });

  describe("a provider", () => {
    test("that answers late: the outcome is unknown, found later, and a repeat changes nothing", async () => {
      const offer = anOffer();
      await expect(bench.whileLate(() => port.offerMandate(offer))).rejects.toThrow();
      const found = await port.findMandate(offer);
      expect(found).toMatchObject({ status: "offered" });
      expect(await port.offerMandate(offer)).toEqual(found);

      const order = anOrder(await approved());
      await expect(bench.whileLate(() => port.instructDebit(order))).rejects.toThrow();
      expect(await port.instructDebit(order)).toEqual(await read(order.txid));

      await expect(bench.whileLate(() => port.cancelMandate(order.mandateId))).rejects.toThrow();
      expect(await port.cancelMandate(order.mandateId)).toMatchObject({ status: "cancelled", cancelledBy: "receiver" });
    });

    test("that is away did nothing that is new, and throws when it is asked about what is known", async () => {
      const { txid, mandateId } = await instructed();
      const offer = anOffer();
      await bench.whileAway(async () => {
        expect(await port.offerMandate(offer)).toEqual({ status: "lost" });
        expect(await port.offerMandate({ ...offer, first: aFirst() })).toEqual({ status: "lost" });
        expect(await port.instructDebit(anOrder(mandateId))).toEqual({ status: "lost" });
        await expect(port.findMandate(offer)).rejects.toThrow();
        await expect(port.readMandate(mandateId)).rejects.toThrow();
        await expect(port.readDebit(txid)).rejects.toThrow();
        await expect(port.cancelMandate(mandateId)).rejects.toThrow();
        await expect(port.cancelDebit({ txid, at: on(2) })).rejects.toThrow();
        await expect(port.retryDebit({ txid, date: day(11), at: on(2) })).rejects.toThrow();
      });
      expect(await port.findMandate(offer)).toBeNull();
      expect(await read(txid)).toMatchObject({ status: "created" });
    });
  });

  describe("callbacks", () => {
    const reported: { mandates: Mandate[]; debits: Debit[] } = { mandates: [], debits: [] };
    let fails = false;
    const isOver = ({ status }: { status: string }) =>
      status !== "created" && status !== "approved" && status !== "active";
    const kinds: WatchKind[] = [
      {
        name: "mandate",
        read: readEach(async (_, mandateId) => port.readMandate(mandateId)),
        write: writeEach<Mandate>(async (_, mandate) => {
          if (fails) throw new Error("not written yet");
          reported.mandates.push(mandate);
          return isOver(mandate) ? "over" : "open";
        }),
      },
      {
        name: "debit",
        read: readEach(async (_, txid) => port.readDebit(txid)),
        write: writeEach<Debit>(async (_, debit) => {
          reported.debits.push(debit);
          return isOver(debit) ? "over" : "open";
        }),
      },
    ];
    async function follow() {
      reported.mandates.length = 0;
      reported.debits.length = 0;
      await askDue(kinds);
    }
    const makeDue = () => runPrepared("t-due", "update watches set ask_at = now() where ask_at is not null", []);
    const waiting = async () => {
      const text = "select id from watches where ask_at is not null and kind <> 'payment' order by id";
      return (await runPrepared<{ id: string }>("t-waiting", text, [])).map(({ id }) => id);
    };
    const watchNow = (kind: string, id: string) =>
      transactionFor("", (query) => watch(query, kind, provider, [id], new Date()));

    beforeEach(async () => {
      fails = false;
      await bench.notify({ lose: true });
      await runPrepared("t-none", "delete from watches", []);
    });

    test("report each change, and the follower is given the rail's truth once for all that wait", async () => {
      const { txid, mandateId } = await instructed();
      await bench.notify();
      await payer.passDays([mandateId], on(10));
      await bench.notify();
      const payments = await claimWatches([{ name: "payment" }]); // the money is deposits'
      expect(payments).toMatchObject([{ id: (await read(txid)).endToEndId }]);
      await follow();
      expect(reported.mandates).toEqual([await port.readMandate(mandateId)]);
      expect(reported.debits).toEqual([await read(txid)]);
      expect(await waiting()).toEqual([]);
    });

    test("that arrive again ask again, and end again", async () => {
      const mandateId = await approved();
      await bench.notify();
      await bench.oweAgain(mandateId);
      await follow();
      await bench.notify();
      const [{ count } = { count: 0 }] = await runPrepared<{ count: number }>(
        "t-count",
        "select count(*)::int from callbacks where kind = 'mandate' and about_id = $1",
        [mandateId],
      );
      expect(count).toBe(1);
      await follow();
      expect(reported.mandates).toMatchObject([{ mandateId, status: "approved" }]);
    });

    test("whose follower fails wait, and are given again later", async () => {
      const mandateId = await approved();
      await bench.notify();
      fails = true;
      await follow();
      expect(await waiting()).toHaveLength(1);
      fails = false;
      await makeDue();
      await follow();
      expect([reported.mandates, await waiting()]).toMatchObject([[{ mandateId }], []]);
    });

    test("while the provider is away wait, and are asked about later", async () => {
      await approved();
      await bench.notify();
      await bench.whileAway(follow);
      expect([reported.mandates, await waiting()]).toMatchObject([[], [expect.any(String)]]);
      await makeDue();
      await follow();
      expect(reported.mandates).toHaveLength(1);
    });

    test("that are lost are replaced by a watch, which ends with the record", async () => {
      const { txid, mandateId } = await instructed();
      await watchNow("debit", txid);
      await watchNow("mandate", mandateId);
      await follow();
      expect([reported.debits, reported.mandates]).toMatchObject([[{ status: "created" }], [{ status: "approved" }]]);
      await payer.passDays([mandateId], on(10));
      await payer.cancel(mandateId);
      await bench.notify({ lose: true });
      expect(await waiting()).toEqual([mandateId, txid].sort());

      await follow();
      expect(reported).toEqual({ debits: [], mandates: [] }); // some seconds too early
      await makeDue();
      await follow();
      expect([reported.debits, reported.mandates]).toMatchObject([
        [{ status: "concluded" }],
        [{ status: "cancelled" }],
      ]);
      expect(await waiting()).toEqual([]);
    });

    test("a watch is put off, begun anew, and commits with its transaction only", async () => {
      const { txid } = await instructed();
      const later = new Date(Date.now() + DAY_MS);
      await transactionFor("", (query) => watch(query, "debit", provider, [txid, txid], later));
      await follow();
      expect(reported.debits).toEqual([]);
      await watchNow("debit", txid);
      await follow();
      expect(reported.debits).toHaveLength(1);
      const failed = transactionFor("", async (query) => {
        await watch(query, "debit", provider, [newTxid()], new Date());
        throw new Error("rolled back");
      });
      await expect(failed).rejects.toThrow("rolled back");
      expect(await waiting()).toEqual([txid]);
    });
  });
});
