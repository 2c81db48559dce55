import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settleDueCharges } from "@/lib/charges/settle";
import { forAccount, transactionFor } from "@/lib/db";
import { blockMissing } from "@/lib/disputes/block";
import { writeReported } from "@/lib/disputes/report";
import { collectEarnings } from "@/lib/earnings/collect";
import { AppError } from "@/lib/errors";
import { eventsConsumer } from "@/lib/events/consume";
import { newAlphanumeric, newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import { move } from "@/lib/move";
import { finishCall } from "@/lib/outside/calls";
import type { ReportedDispute } from "@/lib/rails/disputes";
import { reconcile } from "@/lib/reconcile/reconcile";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCall } from "@/lib/refunds/call";
import { cancelRefund } from "@/lib/refunds/cancel";
import { refundNoun } from "@/lib/refunds/noun";
import { idOfCode } from "@/lib/refunds/record";
import { rejectRefund } from "@/lib/refunds/reject";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { countEvents } from "@/lib/rollups/count";
import { completionOf } from "@/lib/splits/postings";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { type Answer, type ModelSale, type Platform, refundModel } from "@/lib/testing/refund-model";
import { cashOut, setLimits } from "@/lib/testing/withdrawals";
import { insertSales } from "@/lib/transactions/insert";
import { moveSalesNow } from "@/lib/transactions/move";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { cancelWithdrawal } from "@/lib/withdrawals/decide";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { requestWithdrawal } from "@/lib/withdrawals/request";
import { receiveReturns } from "@/lib/withdrawals/returned";

/** reconcile() reads the whole ledger, and settling settles every due sale. */
let drop: () => Promise<void>;
openRail();
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

/** How many stories are played; the longest run by hand had a thousand (`REFUND_STORIES=1000`). */
const STORIES = Number(process.env.REFUND_STORIES ?? 25);
const FEE = 35;
const CHARGEBACK_FEE = 90;

const WITHDRAWAL_FEE = 21;
/** Above all limits of a withdrawal, in cents. */
const HUGE = 1_000_000_000_000n;

type Act =
  | { act: "sell"; gross: number; points: number; isCard: boolean }
  | { act: "ask"; sale: number; part: number }
  | { act: "refund"; sale: number; part: number }
  | { act: Decision; sale: number; times: number }
  | { act: "settle" }
  | { act: "withdraw"; part: number }
  | { act: PayoutAct; withdrawal: number; part: number; times: number }
  | { act: "dispute"; sale: number; part: number }
  | { act: "end"; sale: number; part: number }
  | { act: "block" };

/** What becomes of a withdrawal: `comeBack` is that money of it is returned. */
const payoutActs = ["send", "send", "pay", "pay", "notPaid", "cancelOut", "comeBack"] as const;
type PayoutAct = (typeof payoutActs)[number];

type Sold = Pick<ModelSale, "gross" | "fee" | "share" | "isCard">;
type Decision = "approve" | "reject" | "cancel" | "complete" | "fail";

const sale = fc.nat(2);
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("sell" as const),
      gross: fc.integer({ min: 1, max: 20_000 }),
      points: fc.nat(9_999),
      isCard: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant("ask" as const), sale, part: fc.integer({ min: 1, max: 110 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant("refund" as const), sale, part: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constantFrom(
        "approve" as const,
        "reject" as const,
        "cancel" as const,
        "complete" as const,
        "complete" as const,
        "fail" as const,
      ),
      sale,
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("settle" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant("withdraw" as const), part: fc.integer({ min: 1, max: 110 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constantFrom(...payoutActs),
      withdrawal: fc.nat(2),
      part: fc.constantFrom(50, 100, 100, 110),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("block" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant("dispute" as const), sale, part: fc.integer({ min: 1, max: 110 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant("end" as const), sale, part: fc.constantFrom(0, 0, 30, 70, 100, 100) }),
  },
);

/** The program, driven as the model is. Providers' answers are given as a callback or the loop would find them. */
function newProgram({ accountId, account, clientId }: Made, recipient: Made) {
  const sales: { id: string; code?: string; paymentId: string; isCard: boolean; dispute?: ReportedDispute }[] = [];
  const withdrawals: string[] = [];

  return {
    async sell({ gross: amount, fee, share, isCard }: Sold) {
      const part = { id: newId(), recipientId: recipient.accountId, name: "Parceira", basisPoints: 1, amount: share };
      const shares = share === 0 ? [] : [part];
      const method = isCard ? ("card" as const) : ("pix" as const);
      const made = { accountId, id: newId(), method, amount, fee, net: amount - fee, shares, createdAt: new Date() };
      const code = isCard ? { installments: 1 } : { txid: newAlphanumeric(25), pixCode: "000201" };
      const [written] = await forAccount(accountId, (tx) => insertSales(tx, [{ ...made, ...code }]));
      if (!written) throw new Error("A sale was not written");
      const posts = completionOf({ ...written, mode: "sandbox" }, shares);
      const end = isCard ? { settleAt: new Date(0) } : { endToEndId: `E${newAlphanumeric(31)}` };
      await moveSalesNow("pay", [{ accountId, id: made.id, posts, paidAt: new Date(), ...end }]);
      sales.push({ id: made.id, isCard, paymentId: ("endToEndId" in end && end.endToEndId) || made.id });
    },

    ask(nth: number, amount: number): Promise<Answer> {
      const sale = sales[nth] as (typeof sales)[number];
      return answerOf(async () => {
        const body = { ...RefundBody.parse({ reason: "other" }), amount, id: sale.id };
        sale.code = (await requestRefund(account, body, call())).data.code;
      });
    },

    /** What a provider would report, as after a callback. */
    async dispute(nth: number, amount: number) {
      const one = sales[nth] as (typeof sales)[number];
      const id = newId();
      one.dispute = { id, paymentId: one.paymentId, reason: "fraud", amount, status: "open", lostAmount: 0 };
      await report(one.isCard, one.dispute);
    },

    async end(nth: number, lostAmount: number) {
      const { isCard, dispute } = sales[nth] as (typeof sales)[number];
      if (!dispute) return;
      const status = lostAmount > 0 ? ("lost" as const) : ("won" as const);
      await Promise.all([1, 2].map(() => report(isCard, { ...dispute, status, lostAmount })));
    },

    async block() {
      await forAccount(accountId, (tx) =>
        tx.dispute.updateMany({ where: { accountId, blockAt: { not: null } }, data: { blockAt: new Date(0) } }),
      );
      while (await blockMissing());
    },

    decide(act: Decision, nth: number): Promise<Answer> {
      const code = sales[nth]?.code ?? "";
      const id = idOfCode(code) ?? newId();
      return answerOf(async () => {
        if (act === "cancel") return cancelRefund(account, { code }, call());
        if (act === "reject") return rejectRefund({ accountId, code, category: "other", reason: "x" }, call());
        if (act === "approve") return approveRefund({ accountId, code }, call());
        const [sent] = await transactionFor(accountId, (query) =>
          move(query, refundNoun, "process", [{ accountId, id }]),
        );
        if (!sent) throw new AppError("invalid_transition"); // what was not sent, as after a dispute, has no answer
        await finishCall(refundCall, { accountId, id }, answers[act]);
      });
    },

    withdraw(amount: number): Promise<Answer> {
      return answerOf(async () => {
        const input = { ...cashOut(), amount, by: { kind: "token", clientId } } as const;
        withdrawals.push((await requestWithdrawal(account, input, call())).reference_id);
      });
    },

    /** What changes nothing, or may not be, leaves the withdrawal as it is. */
    async payOut(act: PayoutAct, nth: number, amount: number, returnId: string): Promise<void> {
      const id = withdrawals[nth] ?? newId();
      const key = { accountId, id };
      const acts = {
        cancelOut: () => cancelWithdrawal(account, { id }, call()),
        comeBack: () => receiveReturns(key, [{ returnId, amount, returnedAt: new Date() }]),
        send: () => transactionFor(accountId, (query) => move(query, withdrawalNoun, "send", [key])),
        pay: () => finishCall(withdrawalCall, key, payoutAnswers.pay),
        notPaid: () => finishCall(withdrawalCall, key, payoutAnswers.notPaid),
      };
      await acts[act]().catch((error) => {
        const isRefused = error.code === "invalid_transition" || (act === "comeBack" && REFUSED.test(String(error)));
        if (!isRefused) throw error;
      });
    },

    /** What each withdrawal is, and what of it came back. */
    async withdrawals() {
      const rows = await forAccount(accountId, (tx) => tx.withdrawal.findMany({ where: { id: { in: withdrawals } } }));
      const byId = new Map(rows.map((row) => [row.id, row]));
      return withdrawals.map((id) => ({
        status: byId.get(id)?.status === "returned" ? "paid" : byId.get(id)?.status,
        returned: Number(byId.get(id)?.returnedAmount),
      }));
    },
  };
}

const report = (isCard: boolean, reported: ReportedDispute) =>
  writeReported(isCard ? "card" : "pix", "simulator", reported);

/** A story that always begins, so that every act is taken at least once. */
const EVERY_ACT: Act[] = [
  ...[true, true, false].map((isCard) => ({ act: "sell" as const, gross: 10_000, points: 2_500, isCard })),
  ...[0, 1, 2].map((sale) => ({ act: "ask" as const, sale, part: 30 })),
  { act: "reject", sale: 0, times: 2 },
  ...[1, 2].map((sale) => ({ act: "approve" as const, sale, times: 2 })),
  { act: "fail", sale: 1, times: 1 },
  { act: "complete", sale: 2, times: 1 },
  { act: "settle" },
  ...[20, 20, 20].map((part) => ({ act: "withdraw" as const, part })),
  ...(
    [
      ["cancelOut", 0, 100],
      ["send", 1, 100],
      ["pay", 1, 100],
      ["comeBack", 1, 50],
      ["comeBack", 1, 50],
      ["comeBack", 1, 1],
      ["send", 2, 100],
      ["notPaid", 2, 100],
      ["pay", 2, 100],
      ["comeBack", 2, 100],
    ] as const
  ).map(([act, withdrawal, part]) => ({ act, withdrawal, part, times: 2 })),
  { act: "dispute", sale: 0, part: 100 },
  { act: "dispute", sale: 1, part: 100 },
  { act: "dispute", sale: 2, part: 50 },
  { act: "end", sale: 0, part: 100 },
  { act: "block" },
  { act: "end", sale: 1, part: 40 },
  { act: "end", sale: 2, part: 0 },
  { act: "sell", gross: 10_000, points: 2_500, isCard: false },
  { act: "withdraw", part: 95 },
  { act: "dispute", sale: 3, part: 100 },
  { act: "end", sale: 3, part: 100 },
];

/** Of money that came back of a withdrawal that was not paid, or more than was. */
const REFUSED = /came back|withdrawals_returned_in_amount/;

const payoutAnswers = {
  pay: { status: "paid", endToEndId: `E${newAlphanumeric(31)}`, paidAt: new Date() },
  notPaid: { status: "failed", reason: null },
} as const;

const answers = {
  complete: { status: "completed", returnId: "D1" },
  fail: { status: "failed", reason: null },
} as const;

/** What the platform of sandboxes has, in cents. */
async function readPlatform(): Promise<Platform> {
  const text = `select kind::text as kind, sum(amount)::float8 as amount from ledger_entries
    where account_id = $1::uuid and kind in ('fees', 'clearing', 'card_clearing') group by 1`;
  const rows = await transactionFor(platforms.sandbox, (query) =>
    query<{ kind: string; amount: number }>("", text, [platforms.sandbox]),
  );
  return { fees: 0, clearing: 0, card_clearing: 0, ...Object.fromEntries(rows.map((row) => [row.kind, row.amount])) };
}

const gainOf = (before: Platform, after: Platform): Platform => ({
  fees: after.fees - before.fees,
  ...{ clearing: after.clearing - before.clearing, card_clearing: after.card_clearing - before.card_clearing },
});

async function answerOf(run: () => Promise<unknown>): Promise<Answer> {
  try {
    await run();
    return "ok";
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "validation_failed") return "too_much";
    if (code === "refund_not_found") return "invalid_transition";
    if (code === undefined) throw error;
    return code as Answer;
  }
}

test("whatever is sold, asked for, decided, failed and settled in whatever order, every balance is the model's", {
  timeout: 3_600_000,
}, async () => {
  const [seller, recipient] = [await makeAccount({ feeBasisPoints: 0 }), await makeAccount()];
  await forAccount(seller.accountId, (tx) =>
    tx.account.update({ where: { id: seller.accountId }, data: { refundFee: FEE, chargebackFee: CHARGEBACK_FEE } }),
  );
  const taken: Record<string, number> = {};
  await setLimits(seller, {
    ...{ withdrawalFee: WITHDRAWAL_FEE, withdrawalLimit: HUGE, withdrawalDayLimit: HUGE, withdrawalNightLimit: HUGE },
    newKeyLimit: HUGE,
  });
  const purseOf = async ({ accountId }: Made) => {
    const { available, pending, blocked, held } = await readBalances(accountId);
    return { available, pending, blocked, held };
  };
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 12, maxLength: 40 }), async (story) => {
      const fees = { refund: FEE, chargeback: CHARGEBACK_FEE, withdrawal: WITHDRAWAL_FEE };
      const model = refundModel(fees, await purseOf(seller), await purseOf(recipient));
      const before = await readPlatform();
      const program = newProgram(seller, recipient);
      for (const one of story) {
        if (one.act === "sell") {
          const fee = Math.floor(one.gross / 50);
          const share = Math.floor(((one.gross - fee) * one.points) / 10_000);
          const sold = { gross: one.gross, fee, share, isCard: one.isCard };
          model.sell(sold);
          await program.sell(sold);
        } else if (one.act === "settle") {
          model.settle();
          while (await settleDueCharges());
        } else if (one.act === "withdraw") {
          const amount = Math.max(1, Math.floor((model.seller.available * one.part) / 100));
          expect(await program.withdraw(amount), "withdrawn").toBe(model.withdraw(amount));
        } else if ("withdrawal" in one) {
          const withdrawal = model.withdrawals[one.withdrawal];
          if (!withdrawal) continue;
          const [amount, returnId] = [Math.ceil((withdrawal.amount * one.part) / 100), `D${newAlphanumeric(31)}`];
          const act = () => program.payOut(one.act, one.withdrawal, amount, returnId);
          await Promise.all(Array.from({ length: one.times }, act));
          if (one.act === "send") model.send(withdrawal);
          else if (one.act === "pay") model.pay(withdrawal);
          else if (one.act === "comeBack") model.comeBack(withdrawal, amount);
          else model.giveBack(withdrawal, one.act === "notPaid" ? "withdrawal_failed" : "withdrawal_cancelled");
          expect(await program.withdrawals(), JSON.stringify(one)).toEqual(
            model.withdrawals.map(({ status, returned }) => ({ status, returned })),
          );
        } else if (one.act === "block") {
          model.block();
          await program.block();
        } else {
          const sale = model.sales[one.sale];
          if (!sale) continue;
          if (one.act === "dispute") {
            const amount = Math.max(1, Math.floor((sale.gross * one.part) / 100));
            if (model.dispute(sale, amount) === "ok") await program.dispute(one.sale, amount);
          } else if (one.act === "end") {
            const { dispute } = sale;
            if (!dispute) continue;
            const lost = one.part === 0 ? 0 : Math.max(1, Math.floor((dispute.amount * one.part) / 100));
            expect(model.end(sale, lost)).toBe("ok");
            await program.end(one.sale, lost);
          } else if (one.act === "ask") {
            const amount = Math.max(1, Math.floor((sale.gross * one.part) / 100));
            expect(await program.ask(one.sale, amount), "asked").toBe(model.ask(sale, amount));
          } else if (one.act === "refund") {
            const amount = Math.max(1, Math.floor((sale.gross * one.part) / 100));
            if (model.ask(sale, amount) !== "ok") continue;
            expect(await program.ask(one.sale, amount)).toBe("ok");
            expect(await program.decide("approve", one.sale)).toBe(model.approve(sale));
            expect(await program.decide("complete", one.sale)).toBe(model.complete(sale));
          } else {
            const { act } = one;
            const decide = () => program.decide(act, one.sale);
            const answers = await Promise.all(
              Array.from({ length: act === "complete" || act === "fail" ? 1 : one.times }, decide),
            );
            const known =
              act === "approve"
                ? model.approve(sale)
                : act === "complete"
                  ? model.complete(sale)
                  : model.release(sale, act === "fail" ? "failed" : "decided");
            expect(answers.filter((answer) => answer === "ok").length, act).toBe(known === "ok" ? 1 : 0);
          }
        }
        expect([await purseOf(seller), await purseOf(recipient)], JSON.stringify(one)).toEqual([
          model.seller,
          model.recipient,
        ]);
        expect(
          Math.min(...Object.values(model.seller).slice(1), model.recipient.pending, model.recipient.blocked),
        ).toBeGreaterThanOrEqual(0);
      }
      expect(gainOf(before, await readPlatform())).toEqual(model.platform);
      for (const [act, count] of Object.entries(model.taken)) taken[act] = (taken[act] ?? 0) + count;
      // What is still open is given back, so that the next story begins without it.
      for (const [nth, sale] of model.sales.entries()) {
        if (sale.open && !sale.open.isApproved) await program.decide("cancel", nth);
        else if (sale.open) await program.decide("fail", nth);
        if (sale.dispute) await program.end(nth, 0);
      }
      for (const [nth, { status }] of model.withdrawals.entries()) {
        if (status === "requested") await program.payOut("cancelOut", nth, 0, "");
        else if (status === "sending") await program.payOut("notPaid", nth, 0, "");
      }
      while (await settleDueCharges());
    }),
    {
      numRuns: STORIES,
      examples: [[EVERY_ACT]],
      ...(process.env.REFUND_SEED && { seed: Number(process.env.REFUND_SEED) }),
    },
  );
  const payouts = ["withdraw", "send", "withdrawal_cancelled", "withdrawal_paid", "withdrawal_failed"];
  const late = ["withdrawal_paid_late", "withdrawal_returned", "withdrawal_returned_in_part"];
  const disputed = ["dispute", "block", "won", "lost", "lostInPart", "lostWhileShort"];
  for (const act of [
    "sell",
    "ask",
    "approve",
    "decided",
    "failed",
    "complete",
    "settle",
    ...payouts,
    ...late,
    ...disputed,
  ])
    expect(taken[act], act).toBeGreaterThan(0);
  const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings });
  while (await consume());
  const found = await reconcile({ inFlightMs: -1_000 });
  expect(found.filter(({ fault }) => fault !== "movement_without_sale")).toEqual([]);
});
