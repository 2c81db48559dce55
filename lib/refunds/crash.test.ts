import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collectEarnings } from "@/lib/earnings/collect";
import { env } from "@/lib/env";
import { eventsConsumer } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { watchCalls } from "@/lib/outside/watch-calls";
import type { CrashPoint } from "@/lib/process/crash-points";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import { railFor } from "@/lib/rails/pix/rails";
import { SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from "@/lib/rails/pix/simulator/agreement";
import { reconcile } from "@/lib/reconcile/reconcile";
import { refundCall, refundCalls } from "@/lib/refunds/call";
import { cancelRefund } from "@/lib/refunds/cancel";
import { listRefunds, readRefund } from "@/lib/refunds/read";
import { type Refund, RefundQuery } from "@/lib/refunds/schema";
import { countEvents } from "@/lib/rollups/count";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { endRefunded } from "@/lib/subscriptions/end-refunded";
import { call, fund, type Made } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { crashAt, startProgram } from "@/lib/testing/program";
import { serveRail } from "@/lib/testing/rail";
import {
  aCardSale,
  aPixSale,
  approve,
  aSeller,
  ask,
  balances,
  FEE,
  keyOf,
  letTimePass,
  returnsOf,
} from "@/lib/testing/refunds";
import { anActive, aPlan, enrolledByCard, eventsOf, nowOf, saleOf, shown } from "@/lib/testing/subscriptions";
import { historyOf } from "@/lib/testing/traces";

/** reconcile() reads the whole ledger and the loops take all that is due, so these tests have a database of their own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterAll(async () => {
  await rail.close();
  await drop();
});

/** A way in which a refund goes: over which rail, whether its provider refuses it at once, and how it ends. */
type Flow = { isCard: boolean; isRefused: boolean; isTaken: boolean; end: "completed" | "failed" };
const flows = {
  "by Pix, taken": { isCard: false, isRefused: false, isTaken: true, end: "completed" },
  "by Pix, not taken by the payer's bank": { isCard: false, isRefused: false, isTaken: false, end: "failed" },
  "by Pix, refused by the PSP": { isCard: false, isRefused: true, isTaken: false, end: "failed" },
  "to the card": { isCard: true, isRefused: false, isTaken: true, end: "completed" },
  "to the card, refused by the acquirer": { isCard: true, isRefused: true, isTaken: false, end: "failed" },
} as const satisfies Record<string, Flow>;
type FlowName = keyof typeof flows;
const every = Object.keys(flows) as FlowName[];
/** Before the provider has answered, all go the same way over each rail. */
const unanswered = ["by Pix, taken", "to the card"] as const;

/** The points that a refund passes. */
type PointOfRefund = Exclude<
  CrashPoint,
  | `${"mail" | "cycle" | "settle" | "withdrawal" | "dispute" | "erasure" | "unmatched" | "replay" | "sandbox"}.${string}`
  | "refund.ending"
>;

/** Every crash point of a refund with the flows that pass it. */
const reached: Record<PointOfRefund, readonly FlowName[]> = {
  "refund.requested": unanswered,
  "refund.approved": unanswered,
  "call.claimed": unanswered,
  "call.beginning": unanswered,
  "call.begun": unanswered,
  "call.answered": every,
  "call.finishing": every,
  "call.finished": every,
  "call.found": ["by Pix, taken", "by Pix, not taken by the payer's bank", "to the card"],
};
const cases = (Object.keys(reached) as PointOfRefund[]).flatMap((point) =>
  reached[point].map((flow) => ({ point, flow })),
);

/** Run in a process of its own, which crashes at CRASH_AT. */
const REQUEST = `import { sha256 } from "@/lib/ids";
  import { requestRefund } from "@/lib/refunds/request";
  import { RefundBody } from "@/lib/refunds/schema";
  const { account, sale, key } = JSON.parse(process.env.CASE);
  const render = (result) => ({ status: 201, body: JSON.stringify(result) });
  const idem = { accountId: account.id, key, requestHash: sha256("the request"), render };
  const body = RefundBody.parse({ reason: "product_not_delivered", amount: "40.00" });
  await requestRefund(account, { ...body, id: sale }, { idem, requestId: crypto.randomUUID() });
  process.exit(0);`;
const APPROVE = `import { approveRefund } from "@/lib/refunds/approve";
  await approveRefund(JSON.parse(process.env.CASE), { idem: undefined, requestId: crypto.randomUUID() });
  process.exit(0);`;
const WORK = `import { makeDueCalls } from "@/lib/outside/run";
  import { refundCalls } from "@/lib/refunds/call";
  await makeDueCalls(refundCalls);
  process.exit(0);`;
const CONSUME = `import { eventsConsumer } from "@/lib/events/consume";
  import { endRefunded } from "@/lib/subscriptions/end-refunded";
  const { consume } = eventsConsumer({ refunds: endRefunded });
  while (await consume());
  process.exit(0);`;

const crash = (point: CrashPoint, source: string, given: object = {}) =>
  crashAt(point, source, { CASE: JSON.stringify(given) });

const watched = watchCalls(refundCall);
const statusOf = async ({ accountId }: Made, { code }: Refund) => (await readRefund(accountId, code)).data.status;
const nameOf = async ({ accountId }: Made, sale: string, { id }: { id: string }) => ({
  endToEndId: (await saleOf(accountId, sale)).endToEndId ?? "",
  id: id.replaceAll("-", ""),
});

/** The PSP ends what it was asked to send back, where it was; an acquirer has done so at once. */
async function endAtPsp(seller: Made, sale: string, refund: Refund, isCompleted: boolean) {
  const name = await nameOf(seller, sale, keyOf(seller, refund));
  if (name.endToEndId) await railFor("sandbox")?.endSentBack?.({ ...name, isCompleted });
}

/** Runs what a worker runs, with time passing, until the refund has ended. */
async function finish(seller: Made, sale: string, refund: Refund, isTaken: boolean) {
  for (let round = 0; round < 8; round += 1) {
    await letTimePass(16);
    while (await makeDueCalls(refundCalls));
    await endAtPsp(seller, sale, refund, isTaken);
    while (await sendNotices());
    while (await askDue([watched]));
    if (["completed", "failed"].includes(await statusOf(seller, refund))) return;
  }
  throw new Error(`The refund is ${await statusOf(seller, refund)} after all rounds`);
}

const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings, refunds: endRefunded });
async function expectReconciled() {
  while (await consume());
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
}

test.each(cases)(
  "a crash at $point, of a refund $flow, ends in one return or none, and in the cents of that end",
  { timeout: 60_000 },
  async ({ point, flow }) => {
    const { isCard, isRefused, isTaken, end } = flows[flow];
    const [seller, recipient] = [await aSeller(), await aSeller()];
    const split = [{ user_id: recipient.clientId, percentage: 10 }];
    const sale = await (isCard ? aCardSale(seller, split) : aPixSale(seller, split));
    const mine = ([available, pending, blocked]: number[]) => [(isCard ? pending : available) ?? 0, blocked ?? 0];
    expect(mine(await balances(seller))).toEqual([8_820, 0]);
    const foreign = newId();
    if (isRefused) {
      // Of the payment so much has gone back already that what is asked for is more than is left of it.
      if (isCard) await acquirerFor("sandbox")?.sendBack({ chargeId: sale, id: foreign, amount: 7_000, before: 0 });
      else await railFor("sandbox")?.sendBack({ ...(await nameOf(seller, sale, { id: foreign })), amount: 7_000 });
    }

    let refund: Refund;
    if (point === "refund.requested") {
      const given = { account: seller.account, sale, key: newId() };
      await crash(point, REQUEST, given);
      expect((await listRefunds(seller.accountId, RefundQuery.parse({}))).data).toEqual([]);
      expect(mine(await balances(seller))).toEqual([8_820, 0]);
      const again = await startProgram(REQUEST, { CASE: JSON.stringify(given) });
      await again.ended();
      const { data } = await listRefunds(seller.accountId, RefundQuery.parse({}));
      expect(data).toHaveLength(1);
      refund = data[0] as Refund;
    } else refund = await ask(seller, sale, { amount: "40.00" });
    const { id } = keyOf(seller, refund);
    const held = isCard ? 3_758 : 4_150;
    expect([await balances(seller), mine(await balances(recipient))].map((one) => one.at(-1))).toEqual([
      held,
      isCard ? 392 : 0,
    ]);

    if (point === "refund.approved") {
      await crash(point, APPROVE, { accountId: seller.accountId, code: refund.code });
      expect(await statusOf(seller, refund)).toBe("pending");
      await letTimePass(16);
      await makeDueCalls(refundCalls);
      expect(await returnsOf(seller, sale), "what nobody approved is not sent").toEqual([]);
    }
    await approve(seller, refund);
    if (point === "call.found") {
      await (isCard ? crash("call.answered", WORK) : makeDueCalls(refundCalls));
      await endAtPsp(seller, sale, refund, isTaken);
      await letTimePass(16);
    }
    if (point.startsWith("call.")) await crash(point, WORK);
    // Until it is known what became of it nobody else may end it, nor gets its money.
    if (!["completed", "failed"].includes(await statusOf(seller, refund))) {
      await expect(cancelRefund(seller.account, refund, call())).rejects.toMatchObject({ code: "invalid_transition" });
      expect((await balances(seller))[2]).toBe(held);
    }
    await finish(seller, sale, refund, isTaken);

    expect(await statusOf(seller, refund)).toBe(end);
    expect(await historyOf(seller.accountId, id)).toEqual([
      ...["pending", "pending → approved", "approved → processing"],
      `processing → ${end}`,
    ]);
    const left = end === "completed" ? [8_820 - 4_000 - FEE + 392, 0] : [8_820, 0];
    expect([mine(await balances(seller)), mine(await balances(recipient))]).toEqual([
      left,
      [end === "completed" ? 588 : 980, 0],
    ]);
    const recorded = (await returnsOf(seller, sale)).filter((one) => one.id !== foreign);
    const status = isCard ? "completed" : isTaken ? "DEVOLVIDO" : "NAO_REALIZADO";
    expect(recorded).toEqual(isRefused ? [] : [{ id, amount: 4_000, status }]);
    expect((await saleOf(seller.accountId, sale)).refundedAmount).toBe(end === "completed" ? 4_000n : 0n);
    await expectReconciled();
  },
);

describe("a callback about a refund", () => {
  /** A refund by Pix of R$ 40.00 that is approved. */
  async function approved() {
    const seller = await aSeller();
    const sale = await aPixSale(seller);
    const refund = await ask(seller, sale, { amount: "40.00" });
    await approve(seller, refund);
    return { seller, sale, refund };
  }
  type Approved = Awaited<ReturnType<typeof approved>>;

  /** A notice as the PSP signs it, which says this status. */
  async function notify({ seller, refund }: Approved, status: string, eventId = `evt_${newId()}`) {
    const id = keyOf(seller, refund).id.replaceAll("-", "");
    const body = JSON.stringify({ event_id: eventId, type: "devolucao", id, status });
    const at = String(Math.floor(Date.now() / 1000));
    const headers = { [TIMESTAMP_HEADER]: at, [SIGNATURE_HEADER]: sign(env.SIMULATOR_SECRET, at, body) };
    const { status: answer } = await fetch(`${rail.url}/callbacks/pix/simulator`, { method: "POST", headers, body });
    expect(answer).toBe(200);
  }

  const expectReturnedOnce = async ({ seller, sale, refund }: Approved) => {
    const { id } = keyOf(seller, refund);
    expect(await historyOf(seller.accountId, id)).toEqual([
      ...["pending", "pending → approved", "approved → processing", "processing → completed"],
    ]);
    expect(await balances(seller)).toEqual([9_800 - 4_000 - FEE, 0, 0]);
    expect(await returnsOf(seller, sale)).toEqual([{ id, amount: 4_000, status: "DEVOLVIDO" }]);
    await expectReconciled();
  };

  test("that comes before the PSP's own answer was written ends the refund, and the loop sends nothing more", async () => {
    const one = await approved();
    await crash("call.answered", WORK);
    await endAtPsp(one.seller, one.sale, one.refund, true);
    while (await sendNotices());
    while (await askDue([watched]));
    expect(await statusOf(one.seller, one.refund)).toBe("completed");
    await letTimePass(16);
    const asked = rail.asked.length;
    await makeDueCalls(refundCalls);
    expect(rail.asked.slice(asked)).toEqual([]);
    await expectReturnedOnce(one);
  });

  test("that comes before the PSP was asked, whatever it claims, ends nothing: the PSP does not know the refund", async () => {
    const one = await approved();
    await notify(one, "DEVOLVIDO");
    while (await askDue([watched]));
    expect(await statusOf(one.seller, one.refund)).toBe("approved");
    await crash("call.begun", WORK);
    await notify(one, "NAO_REALIZADO");
    while (await askDue([watched]));
    expect(await statusOf(one.seller, one.refund)).toBe("processing");
    expect((await balances(one.seller))[2]).toBe(4_000 + FEE);
    await finish(one.seller, one.sale, one.refund, true);
    await expectReturnedOnce(one);
  });

  test("that is lost is not needed: the loop asks about what the PSP accepted", async () => {
    const one = await approved();
    await makeDueCalls(refundCalls);
    await endAtPsp(one.seller, one.sale, one.refund, true);
    await letTimePass(16);
    await makeDueCalls(refundCalls);
    await expectReturnedOnce(one);
  });

  test("that comes ten times at once, beside the loop, moves the money once", async () => {
    const one = await approved();
    await makeDueCalls(refundCalls);
    await endAtPsp(one.seller, one.sale, one.refund, true);
    await letTimePass(16);
    const same = `evt_${newId()}`;
    await Promise.all([
      ...Array.from({ length: 5 }, () => notify(one, "DEVOLVIDO", same)),
      ...Array.from({ length: 5 }, () => notify(one, "DEVOLVIDO")),
      ...Array.from({ length: 3 }, () => askDue([watched])),
      ...Array.from({ length: 3 }, () => makeDueCalls(refundCalls)),
    ]);
    while (await askDue([watched]));
    await expectReturnedOnce(one);
  });

  test("that overtakes another's, or tells of a state long past, changes nothing but what the PSP says now", async () => {
    const [first, second] = [await approved(), await approved()];
    await makeDueCalls(refundCalls);
    for (const { seller, sale, refund } of [first, second]) await endAtPsp(seller, sale, refund, true);
    await notify(second, "DEVOLVIDO");
    while (await askDue([watched]));
    expect([await statusOf(first.seller, first.refund), await statusOf(second.seller, second.refund)]).toEqual([
      "processing",
      "completed",
    ]);
    await notify(first, "DEVOLVIDO");
    for (const status of ["EM_PROCESSAMENTO", "NAO_REALIZADO"]) await notify(second, status);
    while (await askDue([watched]));
    await expectReturnedOnce(first);
    await expectReturnedOnce(second);
  });
});

test.each(["qr_code", "credit_card"])(
  "a crash while a refund of a charge by %s ends its subscription ends it once, with one event",
  { timeout: 60_000 },
  async (billing_method) => {
    const seller = await aSeller();
    await fund(seller.accountId, 10_000);
    const plan = await aPlan(seller, { billing_method });
    const token =
      billing_method === "qr_code" ? await anActive(seller, plan) : (await enrolledByCard(seller, plan)).token;
    const sale = (await shown(seller, token)).charges[0]?.payment.identifier ?? "";
    const refund = await ask(await nowOf(seller), sale, { amount: "10.00", cancel_subscription: "now" });
    await approve(seller, refund);
    await finish(seller, sale, refund, true);
    await crash("refund.ending", CONSUME);
    expect((await shown(seller, token)).status).toBe("active");
    while (await consume());
    while (await consume());
    expect((await shown(seller, token)).status).toBe("cancelled");
    expect((await eventsOf(seller, token)).filter((type) => type === "subscription.cancelled")).toHaveLength(1);
    await expectReconciled();
  },
);
