import { afterAll, beforeAll, expect, test } from "vitest";
import { settleDueCharges } from "@/lib/charges/settle";
import { forAccount } from "@/lib/db";
import { writeReported } from "@/lib/disputes/report";
import { collectEarnings } from "@/lib/earnings/collect";
import { AppError } from "@/lib/errors";
import { eventsConsumer } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import type { ReportedDispute } from "@/lib/rails/disputes";
import { reconcile } from "@/lib/reconcile/reconcile";
import { countEvents } from "@/lib/rollups/count";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { ask, soldBy } from "@/lib/testing/refunds";
import { cashOut } from "@/lib/testing/withdrawals";
import { cancelWithdrawal } from "@/lib/withdrawals/decide";
import { requestWithdrawal } from "@/lib/withdrawals/request";

/** Settling settles every due sale, and reconcile reads the whole ledger. */
let drop: () => Promise<void>;
openRail();
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const CENTS = 10_000;
const acts = ["settle", "withdraw", "refund", "dispute"] as const;
type Act = (typeof acts)[number];

const ordersOf = (some: readonly Act[]): Act[][] =>
  some.length === 0
    ? [[]]
    : some.flatMap((one) => ordersOf(some.filter((it) => it !== one)).map((rest) => [one, ...rest]));

/** What may be answered to who comes too late. */
const LATE = ["insufficient_balance", "refund_sale_disputed"];

test.each([
  ["one after the other", false],
  ["at once", true],
])(
  "a settlement, a withdrawal, a refund and a dispute of the same cents, %s in every order, move them once",
  async (_, isAtOnce) => {
    const taken = new Set<string>();
    for (const order of ordersOf(acts)) {
      const seller = await makeAccount({ feeBasisPoints: 0 });
      const sale = await soldBy(seller, { method: "card", amount: CENTS });
      await isDue(seller, sale);
      const opened = disputeOf(sale);
      const run = (act: Act) => does[act](seller, sale, opened).then(() => taken.add(act), mayBeLate);
      if (isAtOnce) await Promise.all(order.map(run));
      else for (const act of order) await run(act);

      const { available, pending, blocked, held } = await readBalances(seller.accountId);
      expect(available + pending + blocked + held, order.join()).toBe(CENTS);
      expect(
        [available, pending, blocked, held].every((cents) => cents === 0 || cents === CENTS),
        order.join(),
      ).toBe(true);

      await writeReported("card", "simulator", { ...opened, status: "lost", lostAmount: CENTS });
      for (const { id } of await forAccount(seller.accountId, (tx) => tx.withdrawal.findMany()))
        await cancelWithdrawal(seller.account, { id }, call());
      expect(await readBalances(seller.accountId), order.join()).toEqual({
        available: 0,
        pending: 0,
        blocked: 0,
        held: 0,
      });
    }
    if (!isAtOnce) expect([...taken].sort()).toEqual([...acts].sort());
    const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings });
    while (await consume());
    expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
  },
);

const does: Record<Act, (seller: Made, sale: string, opened: ReportedDispute) => Promise<unknown>> = {
  async settle() {
    while (await settleDueCharges());
  },
  withdraw: ({ account, clientId }) =>
    requestWithdrawal(account, { ...cashOut({ amount: CENTS / 100 }), by: { kind: "token", clientId } }, call()),
  refund: (seller, sale) => ask(seller, sale),
  dispute: (_seller, _sale, opened) => writeReported("card", "simulator", opened),
};

function mayBeLate(error: unknown) {
  if (!(error instanceof AppError && LATE.includes(error.code))) throw error;
}

const disputeOf = (paymentId: string): ReportedDispute => ({
  ...{ id: newId(), paymentId, reason: "fraud", amount: CENTS, status: "open", lostAmount: 0 },
});

const isDue = ({ accountId }: Made, id: string) =>
  forAccount(accountId, (tx) =>
    tx.transaction.updateMany({ where: { accountId, id }, data: { settleAt: new Date(0) } }),
  );
