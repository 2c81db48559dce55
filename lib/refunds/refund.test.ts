import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { actAs } from "@/lib/actor";
import { forAccount, prisma, transactionFor } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import { openEvent } from "@/lib/events/subjects";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { finishCall, readCall, sendCall } from "@/lib/outside/calls";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { watchCalls } from "@/lib/outside/watch-calls";
import { reconcile } from "@/lib/reconcile/reconcile";
import { refundCall, refundCalls } from "@/lib/refunds/call";
import { cancelRefund } from "@/lib/refunds/cancel";
import { listRefunds, readRefund } from "@/lib/refunds/read";
import { idOfCode } from "@/lib/refunds/record";
import { rejectRefund } from "@/lib/refunds/reject";
import { type Refund, RefundQuery } from "@/lib/refunds/schema";
import { simulateRefund } from "@/lib/refunds/simulate";
import { stopRefund } from "@/lib/refunds/stop";
import { countEvents } from "@/lib/rollups/count";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { disputed } from "@/lib/testing/disputes";
import { call, cashIn, fund, type Made } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
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
  STAFF,
  settleNow,
} from "@/lib/testing/refunds";
import { advance, nowOf, saleOf } from "@/lib/testing/subscriptions";
import { readTransactionV1, readTransactionV2 } from "@/lib/transactions/read";

/** reconcile() reads the whole ledger, and settling settles every due sale. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterAll(async () => {
  while (await consume());
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
  await rail.close();
  await drop();
});

const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings });

const reject = ({ accountId }: Made, { code }: Refund) =>
  actAs(STAFF, () =>
    rejectRefund(
      { accountId, code, category: "insufficient_documentation", reason: "Faltou o comprovante de envio." },
      call(),
    ),
  );

describe("a refund that the operator refuses", () => {
  test("holds amount and fee until then, gives them back, and is the interface's record with its history", async () => {
    const seller = await aSeller();
    const sale = await aPixSale(seller);
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
    const asked = await actAs({ kind: "credential", id: seller.clientId }, () =>
      ask(seller, sale, { amount: "40.00", reason_details: "Extraviado nos Correios" }),
    );
    expect(await balances(seller)).toEqual([9_800 - 4_150, 0, 4_150]);
    expect(asked).toMatchObject({ status: "pending", amount: "40.00", fee: "1.50", total: "41.50", rejected_at: null });
    await reject(seller, asked);
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect((await readRefund(seller.accountId, asked.code)).data).toEqual({
      ...{ code: expect.stringMatching(/^rfd_[0-9a-f]{32}$/), status: "rejected", status_label: "Recusado" },
      ...{ amount: "40.00", fee: "1.50", total: "41.50" },
      ...{ reason: "product_not_delivered", reason_label: "Produto não entregue" },
      reason_details: "Extraviado nos Correios",
      ...{ rejection_category: "insufficient_documentation", rejection_category_label: "Documentação insuficiente" },
      rejection_reason: "Faltou o comprovante de envio.",
      ...{ provider_receipt: null, executed_at: null, requested_at: time, approved_at: null, rejected_at: time },
      ...{ completed_at: null, cancelled_at: null },
      transaction: {
        ...{ reference_id: sale, end_to_end_id: expect.stringMatching(/^E\w{31}$/), amount: "100.00", paid_at: time },
        ...{ method: "pix", fees: "2.00", product: { name: null } },
        client: { name: null, email: null, document: null, phone: null },
      },
      events: [
        {
          ...{ event: "created", actor_type: "partner", payload: { reason: "product_not_delivered" } },
          occurred_at: time,
        },
        {
          ...{ event: "rejected", actor_type: "admin", occurred_at: time },
          payload: { category: "insufficient_documentation", reason: "Faltou o comprovante de envio." },
        },
      ],
    });
  });

  test("is sent to webhooks as the record that it then is, the event itself in its history", async () => {
    const seller = await aSeller();
    const asked = await ask(seller, await aPixSale(seller), { amount: 10 });
    await reject(seller, asked);
    const { accountId } = seller;
    const events = await forAccount(accountId, (tx) =>
      tx.event.findMany({ where: { accountId, subject: "refund" }, orderBy: { id: "asc" } }),
    );
    const bodies = events.map((event) => {
      const open = openEvent(event);
      const [route] = open.subscriptions;
      expect(open.subscriptions).toMatchObject([{ registration: "refund", contract: "event", name: event.type }]);
      return route && (open.body(route) as { event: string; refund: Refund });
    });
    expect(
      bodies.map((body) => [body?.event, body?.refund.status, body?.refund.events.map(({ event }) => event)]),
    ).toEqual([
      ["refund.created", "pending", ["created"]],
      ["refund.updated", "rejected", ["created", "rejected"]],
    ]);
    expect(bodies.at(-1)?.refund).toEqual((await readRefund(accountId, asked.code)).data);
  });

  test("is decided once: of a refusal and a cancellation at once one wins, and the money comes back once", async () => {
    const seller = await aSeller();
    const asked = await ask(seller, await aPixSale(seller), { amount: 10 });
    const ends = [
      ...Array.from({ length: 5 }, () => reject(seller, asked)),
      ...Array.from({ length: 5 }, () => cancelRefund(seller.account, asked, call())),
    ];
    const ended = await Promise.allSettled(ends);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of ended)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "invalid_transition" });
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
  });
});

const end = (seller: Made, { code }: Refund, isCompleted: boolean) =>
  simulateRefund(seller.account, { code, isCompleted }, call());
/** What the callback of the simulated PSP wakes. */
const watched = watchCalls(refundCall);

describe("a refund that the operator approves", () => {
  test("goes back by Pix: the sale is refunded, recipients have given back their parts, and the fee is earned", async () => {
    const [seller, recipient] = [await aSeller(), await aSeller()];
    const sale = await aPixSale(seller, [{ user_id: recipient.clientId, percentage: 10 }]);
    await aPixSale(seller);
    expect(await balances(seller)).toEqual([8_820 + 9_800, 0, 0]);
    const asked = await ask(seller, sale);
    await approve(seller, asked);
    await makeDueCalls(refundCalls);
    expect((await readRefund(seller.accountId, asked.code)).data.status).toBe("processing");
    await expect(cancelRefund(seller.account, asked, call())).rejects.toMatchObject({ code: "invalid_transition" });
    await end(seller, asked, true);
    await vi.waitFor(async () => {
      while (await sendNotices());
      while (await askDue([watched]));
      expect((await readRefund(seller.accountId, asked.code)).data.status).toBe("completed");
    }, 20_000);
    const { data } = await readRefund(seller.accountId, asked.code);
    expect(data).toMatchObject({
      provider_receipt: { provider: "simulator", return_id: expect.stringMatching(/^D\w{31}$/) },
      ...{ completed_at: expect.any(String), executed_at: expect.any(String) },
    });
    expect(data.events.map(({ event, actor_type }) => [event, actor_type])).toEqual([
      ["created", "system"],
      ["approved", "admin"],
      ["processing", "system"],
      ["completed", "system"],
    ]);
    // R$ 100.00 and the fee are gone, R$ 9.80 came back from the recipient.
    expect(await balances(seller)).toEqual([18_620 - 10_150 + 980, 0, 0]);
    expect(await balances(recipient)).toEqual([0, 0, 0]);
    expect((await readTransactionV1(seller.accountId, sale)).data).toMatchObject({ status: "refunded" });
    expect((await readTransactionV2(seller.accountId, sale)).data.transaction).toMatchObject({
      ...{ status: "refunded", refunded_amount: 100, refunded_at: expect.any(String) },
    });
  });

  test("in ten parts returns each share to the cent, and the sale is refunded with the last", async () => {
    const [seller, recipient] = [await aSeller(), await aSeller()];
    await fund(seller.accountId, 10_000);
    const sale = await aPixSale(seller, [{ user_id: recipient.clientId, percentage: 33 }]);
    for (let nth = 0; nth < 10; nth += 1) {
      const asked = await ask(seller, sale, { amount: nth === 9 ? undefined : "9.99" });
      await end(seller, asked, true);
      await finishCall(
        refundCall,
        { accountId: seller.accountId, id: idOfCode(asked.code) ?? "" },
        await foundOf(seller, asked),
      );
      const { status, refundedAmount } = await saleOf(seller.accountId, sale);
      expect([status, refundedAmount]).toEqual(
        nth === 9 ? ["refunded", 10_000n] : ["completed", BigInt(999 * (nth + 1))],
      );
    }
    expect(await balances(recipient)).toEqual([0, 0, 0]);
    expect(await balances(seller)).toEqual([10_000 + 9_800 - 10_000 - 10 * FEE, 0, 0]);
    await expect(ask(seller, sale)).rejects.toMatchObject({ code: "refund_not_eligible" });
  });

  test("and that the payer's bank does not take gives back what it held, and may be asked for again", async () => {
    const seller = await aSeller();
    const sale = await aPixSale(seller);
    const asked = await ask(seller, sale, { amount: 10 });
    await end(seller, asked, false);
    await finishCall(
      refundCall,
      { accountId: seller.accountId, id: idOfCode(asked.code) ?? "" },
      await foundOf(seller, asked),
    );
    expect((await readRefund(seller.accountId, asked.code)).data).toMatchObject({ status: "failed" });
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
    await ask(seller, sale, { amount: 10 });
  });

  test("is not sent once it was stopped, as by a dispute of its sale, and gives back what it held", async () => {
    const seller = await aSeller();
    const asked = await ask(seller, await aPixSale(seller), { amount: 10 });
    await approve(seller, asked);
    const { accountId } = seller;
    await transactionFor(accountId, (query) => stopRefund(query, accountId, asked.transaction.reference_id));
    await makeDueCalls(refundCalls);
    expect((await readRefund(seller.accountId, asked.code)).data).toMatchObject({
      ...{ status: "cancelled", cancelled_at: expect.any(String), executed_at: null, completed_at: null },
    });
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
    const id = (idOfCode(asked.code) ?? "").replaceAll("-", "");
    expect(await prisma().simulatorDevolucao.count({ where: { id } })).toBe(0);
  });

  test("is sent back once, whoever is asked how often: one devolução under our id, and its money moves once", async () => {
    const seller = await aSeller();
    const asked = await ask(seller, await aPixSale(seller), { amount: 10 });
    await approve(seller, asked);
    const key = { accountId: seller.accountId, id: idOfCode(asked.code) ?? "" };
    await Promise.all(Array.from({ length: 5 }, () => sendCall(refundCall, key)));
    await end(seller, asked, true);
    const answers = Array.from({ length: 5 }, async () => finishCall(refundCall, key, await foundOf(seller, asked)));
    await Promise.all(answers);
    expect(await balances(seller)).toEqual([9_800 - 1_000 - FEE, 0, 0]);
    expect(await prisma().simulatorDevolucao.count({ where: { id: key.id.replaceAll("-", "") } })).toBe(1);
  });
});

describe("a look-up", () => {
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const event = (event: string, actor_type: string, payload = {}) => ({
    event,
    actor_type,
    payload,
    occurred_at: time,
  });
  const approved = [event("approved", "admin")];
  const processing = [...approved, event("processing", "system")];
  const times = { executed_at: null, approved_at: null, rejected_at: null, completed_at: null, cancelled_at: null };
  const refusal = { category: "insufficient_documentation", reason: "Faltou o comprovante de envio." };

  type Reached = (seller: Made, asked: Refund) => Promise<unknown>;
  const ended =
    (isCompleted: boolean): Reached =>
    async (seller, asked) => {
      await approve(seller, asked);
      await end(seller, asked, isCompleted);
      await finishCall(refundCall, keyOf(seller, asked), await foundOf(seller, asked));
    };
  const cases: [status: string, isCard: boolean, reach: Reached, fields: object, events: object[]][] = [
    ["pending", false, async () => {}, { status_label: "Em análise" }, []],
    ["approved", false, approve, { status_label: "Aprovado", approved_at: time }, approved],
    [
      "processing",
      false,
      async (seller, asked) => {
        await approve(seller, asked);
        await makeDueCalls(refundCalls);
      },
      { status_label: "Em processamento", approved_at: time, executed_at: time },
      processing,
    ],
    [
      "completed",
      false,
      ended(true),
      {
        ...{ status_label: "Concluído", approved_at: time, executed_at: time, completed_at: time },
        provider_receipt: { provider: "simulator", return_id: expect.stringMatching(/^D\w{31}$/) },
      },
      [...processing, event("completed", "system")],
    ],
    [
      "completed",
      true,
      async (seller, asked) => {
        await approve(seller, asked);
        await makeDueCalls(refundCalls);
      },
      {
        ...{ status_label: "Concluído", approved_at: time, executed_at: time, completed_at: time },
        provider_receipt: { provider: "simulator" },
      },
      [...processing, event("completed", "system")],
    ],
    [
      "failed",
      false,
      ended(false),
      { status_label: "Não concluído", approved_at: time, executed_at: time },
      [...processing, event("failed", "system")],
    ],
    [
      "rejected",
      true,
      reject,
      {
        ...{ status_label: "Recusado", rejected_at: time, rejection_category: refusal.category },
        ...{ rejection_category_label: "Documentação insuficiente", rejection_reason: refusal.reason },
      },
      [event("rejected", "admin", refusal)],
    ],
    [
      "cancelled",
      false,
      async (seller, asked) =>
        actAs({ kind: "credential", id: seller.clientId }, () => cancelRefund(seller.account, asked, call())),
      { status_label: "Cancelado", cancelled_at: time },
      [event("cancelled", "partner")],
    ],
  ];

  test.each(cases)(
    "of a refund that is %s (of a card: %s) has every field of the interface and no other",
    async (...row) => {
      const [status, isCard, reach, fields, events] = row;
      const seller = await aSeller();
      const sale = await (isCard ? aCardSale(seller) : aPixSale(seller));
      const asked = await actAs({ kind: "credential", id: seller.clientId }, () =>
        ask(seller, sale, { amount: "40.00", reason_details: "Extraviado nos Correios" }),
      );
      await reach(seller, asked);
      const client = isCard
        ? { name: "Ana Prado", email: "ana@example.com", document: "52998224725", phone: "11987654321" }
        : { name: null, email: null, document: null, phone: null };
      expect((await readRefund(seller.accountId, asked.code)).data).toStrictEqual({
        ...{ code: asked.code, status, amount: "40.00", fee: "1.50", total: "41.50" },
        ...{ reason: "product_not_delivered", reason_label: "Produto não entregue" },
        ...{ reason_details: "Extraviado nos Correios", rejection_category: null, rejection_category_label: null },
        ...{ rejection_reason: null, provider_receipt: null, requested_at: time, ...times, ...fields },
        transaction: {
          ...{
            reference_id: sale,
            end_to_end_id: isCard ? null : expect.stringMatching(/^E\w{31}$/),
            amount: "100.00",
          },
          ...{ paid_at: time, method: isCard ? "credit_card" : "pix", fees: "2.00", product: { name: null }, client },
        },
        events: [event("created", "partner", { reason: "product_not_delivered" }), ...events],
      });
    },
  );
});

/** What the rail says of a refund. */
async function foundOf({ accountId }: Made, { code }: Refund) {
  const id = idOfCode(code) ?? "";
  const found = await refundCall.find({ ...(await readCall({ accountId, id })) });
  if (!found) throw new Error("the rail does not know it");
  return found;
}

describe("a refund is asked for", () => {
  test("once at a time for a sale, however many ask at once, and again once that has ended", async () => {
    const seller = await aSeller();
    const sale = await aPixSale(seller);
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => ask(seller, sale, { amount: 1 })));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of asked)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "refund_already_open" });
    expect(await balances(seller)).toEqual([9_800 - 100 - FEE, 0, 100 + FEE]);
    const [open] = (await listRefunds(seller.accountId, RefundQuery.parse({ status: "pending" }))).data;
    await cancelRefund(seller.account, open as Refund, call());
    await ask(seller, sale, { amount: 1 });
    expect((await listRefunds(seller.accountId, RefundQuery.parse({ reference_id: sale }))).data).toHaveLength(2);
  });

  test("a hundred times for a sale, and no more", async () => {
    const seller = await aSeller();
    const sale = await aPixSale(seller);
    const first = await ask(seller, sale, { amount: 1 });
    await cancelRefund(seller.account, first, call());
    const { accountId } = seller;
    const row = { mode: "sandbox", status: "cancelled", amount: 1, fee: 0, pendingAmount: 0, reason: "other" } as const;
    const day = { createdAt: new Date(), updatedAt: new Date() };
    const data = Array.from({ length: 99 }, () => ({ accountId, id: newId(), transactionId: sale, ...row, ...day }));
    await forAccount(accountId, (tx) => tx.refund.createMany({ data }));
    await expect(ask(seller, sale, { amount: 1 })).rejects.toMatchObject({ code: "refund_limit_reached" });
    expect(await balances(seller)).toEqual([9_800, 0, 0]);
    await ask(seller, await aPixSale(seller), { amount: null });
  });

  test("only with the money that is there, and never with the money of four for ten", async () => {
    const seller = await aSeller();
    const sales: string[] = [];
    for (let nth = 0; nth < 10; nth += 1) sales.push(await aPixSale(seller));
    const asked = await Promise.allSettled(sales.map((sale) => ask(seller, sale)));
    const won = asked.filter(({ status }) => status === "fulfilled");
    expect(won).toHaveLength(Math.floor((10 * 9_800) / (10_000 + FEE)));
    for (const one of asked)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "insufficient_balance" });
    const [available] = await balances(seller);
    expect(available).toBeGreaterThanOrEqual(0);
  });

  test.each([
    [
      "an unpaid sale",
      "refund_not_eligible",
      async (seller: Made) => (await requestDeposit(seller.account, cashIn(), call())).identifier,
    ],
    [
      "a sale that was paid 90 days and a minute ago",
      "refund_not_eligible",
      async (seller: Made) => paidAgo(seller, 90 * 86_400_000 + 60_000),
    ],
    [
      "a sale in dispute, which is named",
      "refund_sale_disputed",
      async (seller: Made) => {
        const id = await aPixSale(seller);
        await disputed(seller, id);
        return id;
      },
    ],
    ["an unknown sale", "transaction_not_found", async () => newId()],
    ["another account's sale", "transaction_not_found", async () => aPixSale(await aSeller())],
  ])("not of %s", async (_, code, makeSale) => {
    const seller = await aSeller();
    await aPixSale(seller);
    const sale = await makeSale(seller);
    const before = await balances(seller);
    await expect(ask(await nowOf(seller), sale)).rejects.toMatchObject({ code });
    expect(await balances(seller)).toEqual(before);
    expect((await listRefunds(seller.accountId, RefundQuery.parse({}))).data).toEqual([]);
  });

  test("of a sale that was paid 90 days ago less a minute", async () => {
    const seller = await aSeller();
    await ask(await nowOf(seller), await paidAgo(seller, 90 * 86_400_000 - 60_000), { amount: 10 });
  });

  test("for no more than was paid: 422 at the amount", async () => {
    const seller = await aSeller();
    const asked = ask(seller, await aPixSale(seller), { amount: "100.01" });
    await expect(asked).rejects.toMatchObject({ options: { faults: { amount: [expect.stringContaining("100,00")] } } });
  });
});

/** A sale that was paid that long ago, on the sandbox's clock. */
async function paidAgo(seller: Made, ms: number): Promise<string> {
  const id = await aPixSale(seller);
  const { paidAt } = await forAccount(seller.accountId, (tx) => tx.transaction.findFirstOrThrow({ where: { id } }));
  await advance(seller, new Date((paidAt?.getTime() ?? 0) + ms));
  return id;
}

describe("a card sale that is not settled", () => {
  test("is refunded out of its own money and the recipients' shares of it, and only the remainder must be available", async () => {
    const [seller, recipient] = [await aSeller(), await aSeller()];
    const sale = await aCardSale(seller, [{ user_id: recipient.clientId, percentage: 30 }]);
    await aCardSale(seller); // another sale's money is not touched
    expect(await balances(seller)).toEqual([0, 6_860 + 9_800, 0]);
    await expect(ask(seller, sale), "the fees are missing").rejects.toMatchObject({ code: "insufficient_balance" });
    await aPixSale(seller);
    const asked = await ask(seller, sale);
    // R$ 100.00 and the fee: 68.60 of the seller's own, 29.40 of the recipient's, 3.50 that was available.
    expect(await balances(seller)).toEqual([9_800 - 350, 9_800, 6_860 + 350]);
    expect(await balances(recipient)).toEqual([0, 0, 2_940]);
    await reject(seller, asked);
    expect(await balances(seller)).toEqual([9_800, 6_860 + 9_800, 0]);
    expect(await balances(recipient)).toEqual([0, 2_940, 0]);
  });

  test("is refunded out of its own money though what is available is below zero", async () => {
    const seller = await aSeller();
    await forAccount(seller.accountId, (tx) =>
      tx.account.update({ where: { id: seller.accountId }, data: { refundFee: 0 } }),
    );
    const owners = { account: seller.accountId, platform: platforms.sandbox };
    const fact = { type: "chargeback_fee", sourceId: newId(), owners, amounts: { fee: 980 } } as const;
    await forAccount(Object.values(owners), (tx) => post(tx, fact));
    const sale = await aCardSale(seller);
    await reject(seller, await ask(seller, sale, { amount: "10.00" }));
    expect(await balances(seller)).toEqual([-980, 9_800, 0]);
  });

  test("is not refunded in so few cents that its recipients would give back more than goes back", async () => {
    const seller = await aSeller();
    const others = [await aSeller(), await aSeller(), await aSeller()];
    await forAccount(seller.accountId, (tx) =>
      tx.account.update({ where: { id: seller.accountId }, data: { refundFee: 0 } }),
    );
    const sale = await aCardSale(
      seller,
      others.map(({ clientId }) => ({ user_id: clientId, percentage: 33 })),
    );
    // Of R$ 0.02 each recipient's part is rounded to a cent.
    const asked = ask(seller, sale, { amount: "0.02" });
    await expect(asked).rejects.toMatchObject({ options: { faults: { amount: [expect.any(String)] } } });
    expect(await balances(seller)).toEqual([0, 98, 0]);
    await end(seller, await ask(seller, sale, { amount: "0.03" }), true);
    await settleNow(seller);
    await end(seller, await ask(seller, sale, { amount: "0.02" }), true);
  });

  test("settles with what is left while a refund is open, which then gives back to what is available", async () => {
    const [seller, recipient] = [await aSeller(), await aSeller()];
    const sale = await aCardSale(seller, [{ user_id: recipient.clientId, percentage: 30 }]);
    await aPixSale(seller);
    const asked = await ask(seller, sale, { amount: 50 });
    expect(await balances(seller)).toEqual([9_800, 6_860 - 3_680, 3_680]);
    expect(await balances(recipient)).toEqual([0, 1_470, 1_470]);
    await settleNow(seller);
    expect(await balances(seller)).toEqual([9_800 + 3_180, 0, 3_680]);
    expect(await balances(recipient)).toEqual([1_470, 0, 1_470]);
    await reject(seller, asked);
    expect(await balances(seller)).toEqual([9_800 + 6_860, 0, 0]);
    expect(await balances(recipient)).toEqual([2_940, 0, 0]);
  });

  test("goes back to the card in parts, before and after it is settled, until nothing of it is left anywhere", async () => {
    const [seller, recipient] = [await aSeller(), await aSeller()];
    const sale = await aCardSale(seller, [{ user_id: recipient.clientId, percentage: 30 }]);
    await fund(seller.accountId, 10_000);
    for (const [nth, part] of [30, 20, 50].entries()) {
      if (nth === 1) await settleNow(seller);
      await end(seller, await ask(seller, sale, { amount: part }), true);
    }
    expect((await readTransactionV2(seller.accountId, sale)).data.transaction).toMatchObject({ status: "refunded" });
    expect(await balances(seller)).toEqual([10_000 + 9_800 - 10_000 - 3 * FEE, 0, 0]);
    expect(await balances(recipient)).toEqual([0, 0, 0]);
    await settleNow(seller);
    expect(await balances(seller)).toEqual([10_000 - 200 - 3 * FEE, 0, 0]);
  });

  test("that is refunded whole before it is settled takes nothing that was available but the fees, and never settles", async () => {
    const [seller, recipient] = [await aSeller(), await aSeller()];
    const sale = await aCardSale(seller, [{ user_id: recipient.clientId, percentage: 30 }]);
    await fund(seller.accountId, 350);
    await end(seller, await ask(seller, sale), true);
    expect([await balances(seller), await balances(recipient)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    await settleNow(seller);
    expect([await balances(seller), await balances(recipient)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });
});
