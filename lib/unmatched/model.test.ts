import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkEvents } from "@/lib/audit-log/link-events";
import { asSystem, forAccount, transactionFor } from "@/lib/db";
import { collectEarnings } from "@/lib/earnings/collect";
import { AppError } from "@/lib/errors";
import { eventsConsumer } from "@/lib/events/consume";
import { newAlphanumeric, newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import { finishCall } from "@/lib/outside/calls";
import { reconcile } from "@/lib/reconcile/reconcile";
import { countEvents } from "@/lib/rollups/count";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { credit, giveBack, match, unmatchedBy } from "@/lib/testing/unmatched";
import { type Answer, type Deed, unmatchedModel } from "@/lib/testing/unmatched-model";
import { insertSales } from "@/lib/transactions/insert";
import { unmatchedReturn } from "@/lib/unmatched/call";
import { receiveUnmatched } from "@/lib/unmatched/receive";

/** reconcile() reads the whole ledger. */
let drop: () => Promise<void>;
openRail();
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

/** How many stories are played; by hand `UNMATCHED_STORIES=1000`. */
const STORIES = Number(process.env.UNMATCHED_STORIES ?? 15);

/** Amounts that often are the same, so that money often finds a sale. */
const amount = fc.constantFrom(99, 10_000);
const place = fc.nat(2);
type Act =
  | { act: "sell"; amount: number; points: number }
  | { act: "arrive"; amount: number }
  | { act: Deed; money: number; sale: number; isTwice: boolean };
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant("sell" as const), amount, points: fc.nat(9_999) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("arrive" as const), amount }) },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constantFrom<Deed>("match", "match", "credit", "return", "return", "complete", "complete", "fail"),
      ...{ money: place, sale: place, isTwice: fc.boolean() },
    }),
  },
);

const deed = (act: Deed, money: number, isTwice = true): Act => ({ act, money, sale: 0, isTwice });

/** The story that is played first, in which everything happens. */
const everything: Act[] = [
  { act: "sell", amount: 10_000, points: 400 },
  ...[10_000, 10_000, 99].map((amount) => ({ act: "arrive" as const, amount })),
  ...[deed("return", 1), deed("fail", 1, false), deed("return", 1), deed("complete", 1, false), deed("match", 0)],
  ...[deed("match", 2), deed("credit", 2), deed("credit", 0)],
];

/** The program, driven as the model is. What the provider says of a return is given as its callback or the loop would find it. */
function newProgram(seller: Made, recipient: Made) {
  const { accountId } = seller;
  const [payments, sales]: [string[], string[]] = [[], []];
  return {
    payments,

    async sell({ amount, fee, share }: { amount: number; fee: number; share: number }) {
      const part = { id: newId(), recipientId: recipient.accountId, name: "Parceira", basisPoints: 1, amount: share };
      const shares = share === 0 ? [] : [part];
      const code = { txid: newAlphanumeric(25), pixCode: "000201", expiresAt: new Date(Date.now() + 3_600_000) };
      const row = { accountId, id: newId(), method: "pix", amount, fee, net: amount - fee, shares } as const;
      await forAccount(accountId, (tx) => insertSales(tx, [{ ...row, ...code, createdAt: new Date() }]));
      sales.push(row.id);
    },

    async arrive(amount: number) {
      const endToEndId = `E${newAlphanumeric(31)}`;
      const came = { provider: "simulator", endToEndId, amount, mode: "sandbox", method: "pix" } as const;
      await transactionFor(platforms.sandbox, (query) =>
        receiveUnmatched(query, [{ ...came, reason: "unknown_txid" }]),
      );
      payments.push(endToEndId);
    },

    async do(deed: Deed, nth: number, sale: number): Promise<Answer> {
      const money = await unmatchedBy(payments[nth] ?? "");
      return answerOf(async () => {
        if (deed === "match") return match(money, sales[sale] ?? newId());
        if (deed === "credit") return credit(money, accountId);
        if (deed === "return") return giveBack(money);
        if (money.status !== "returning") throw new AppError("invalid_transition");
        const answer =
          deed === "complete" ? { status: "completed", returnId: "D1" } : { status: "failed", reason: null };
        await finishCall(unmatchedReturn, { accountId: money.accountId, id: money.returnId ?? "" }, answer as never);
      });
    },
  };
}

const answerOf = (run: () => Promise<unknown>): Promise<Answer> =>
  run().then(
    () => "ok",
    (error) => {
      if (error instanceof AppError) return "refused";
      throw error;
    },
  );

async function ofPlatform(kind: string): Promise<number> {
  const [row] = await asSystem(
    (tx) => tx.$queryRaw<{ amount: bigint }[]>`select coalesce(sum(amount), 0)::bigint as amount from ledger_entries
      where account_id = ${platforms.sandbox}::uuid and kind = ${kind}`,
  );
  return Number(row?.amount);
}

test("whatever happens to unmatched money, every balance is what the model says, and nothing is made or lost", {
  timeout: 600_000,
}, async () => {
  const taken: Record<string, number> = {};
  const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings, audit: linkEvents });
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 14, maxLength: 30 }), async (story) => {
      const [seller, recipient] = [await makeAccount(), await makeAccount()];
      const [model, program] = [unmatchedModel(), newProgram(seller, recipient)];
      const held = {
        unmatched: await ofPlatform("unmatched"),
        fees: await ofPlatform("fees"),
        clearing: await ofPlatform("clearing"),
      };
      for (const one of story) {
        if (one.act === "sell") {
          const fee = Math.round((one.amount * one.points) / 20_000);
          const sale = { amount: one.amount, fee, share: Math.floor((one.amount - fee) / 3) };
          model.sell(sale);
          await program.sell(sale);
        } else if (one.act === "arrive") {
          model.arrive(one.amount);
          await program.arrive(one.amount);
        } else {
          const { act, money, sale, isTwice } = one;
          const known = model.money[money];
          if (!known) continue;
          const said = model.do(act, known, model.sales[sale]);
          const answers = await Promise.all([
            program.do(act, money, sale),
            ...(isTwice ? [program.do(act, money, sale)] : []),
          ]);
          // Of two at once one happens at most; a provider's second report changes nothing.
          expect(answers.filter((answer) => answer === "ok").length > 0, JSON.stringify(one)).toBe(said === "ok");
          if (!["complete", "fail"].includes(act))
            expect(answers.filter((answer) => answer === "ok").length).toBeLessThan(2);
        }
      }
      const { cents } = model;
      expect([
        (await readBalances(seller.accountId)).available,
        (await readBalances(recipient.accountId)).available,
      ]).toEqual([cents.seller, cents.recipient]);
      for (const kind of ["unmatched", "fees", "clearing"] as const) {
        expect((await ofPlatform(kind)) - held[kind], kind).toBe(cents[kind]);
      }
      const statuses = await Promise.all(program.payments.map(async (payment) => (await unmatchedBy(payment)).status));
      expect(statuses).toEqual(model.money.map(({ status }) => status));
      for (const [deed, count] of Object.entries(model.taken)) taken[deed] = (taken[deed] ?? 0) + count;
    }),
    { numRuns: STORIES, examples: [[everything]] },
  );
  for (const deed of ["match", "credit", "return", "complete", "fail"]) expect(taken[deed], deed).toBeGreaterThan(0);
  while (await consume());
  expect(await reconcile()).toEqual([]);
});
