import { forAccount, prisma, queryOf, runPrepared } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readBalances, reserve } from "@/lib/ledger/balance";
import { begin } from "@/lib/move";
import { writeCalls } from "@/lib/outside/calls";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { type Made, makeAccount } from "@/lib/testing/make";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { payoutWatch } from "@/lib/withdrawals/payout-watch";
import { requestOf } from "@/lib/withdrawals/postings";
import { newWithdrawal } from "@/lib/withdrawals/record";

/** What a withdrawal of `aPayer` costs, in cents. */
export const PAYOUT_FEE = 120;
/** What it has, in cents. */
export const HAS = 50_000;

/** A seller with R$ 500.00. */
export const aPayer = (available = HAS): Promise<Made> => makeAccount({ available });

/**
 * Asks for a withdrawal to a key, as `requestWithdrawal` does without its checks, so that a test says what is asked for. Returns
 * its id; throws `insufficient_balance`.
 */
export async function askPayout(
  { accountId }: Pick<Made, "accountId">,
  { key = "ana@loja.example", amount = 10_000, fee = PAYOUT_FEE, id = newId() } = {},
): Promise<string> {
  const now = new Date();
  const row = newWithdrawal({
    ...{ accountId, id, mode: "sandbox", status: "requested", provider: "simulator", amount, fee, returnedAmount: 0 },
    ...{ description: null, externalId: null, pixKeyType: "EMAIL", pixKey: key, document: "52998224725" },
    ...{ ownerName: "Pessoa de Teste", limits: {}, isLowered: false, askedBy: newId(), createdAt: now, updatedAt: now },
  }) as Parameters<typeof begin>[2]["row"];
  await forAccount(accountId, async (tx) => {
    await reserve(tx, accountId, amount + fee);
    await begin(tx, withdrawalNoun, { row, posts: [requestOf({ accountId, id, amount, fee })] });
    await writeCalls(queryOf(tx), [{ accountId, id, kind: withdrawalCall.name, provider: "simulator" }]);
  });
  return id;
}

/** Runs once what a worker runs for payouts, of all accounts: calls, the PSP's steps and notices, and what they wake. */
export async function workOnPayouts(): Promise<void> {
  while (await makeDueCalls([withdrawalCall]));
  while (await sendNotices());
  while (await askDue([payoutWatch]));
}

/** Has every step that a key of the simulated PSP says follow at once. */
export async function followKeys(): Promise<void> {
  for (let step = 0; step < 3; step += 1) {
    await runPrepared("t-payout-step", "update simulator_payouts set step_at = now() where step_at is not null", []);
    await workOnPayouts();
  }
}

/** A payout in the simulated PSP's records, in cents. */
export type Sent = { status: string; amount: number; returned: number; isForgotten: boolean };

/** Every payout that the simulated PSP ever made of a withdrawal, also what it has forgotten. */
export async function sentOf(id: string): Promise<Sent[]> {
  const where = { id: { startsWith: id.replaceAll("-", "") } };
  const rows = await prisma().simulatorPayout.findMany({ where, orderBy: { id: "asc" } });
  return Promise.all(
    rows.map(async ({ id: payoutId, status, amount }) => {
      const { _sum } = await prisma().simulatorPayoutReturn.aggregate({ where: { payoutId }, _sum: { amount: true } });
      const isForgotten = payoutId.endsWith("~");
      return { status, amount: Number(amount), returned: Number(_sum.amount ?? 0), isForgotten };
    }),
  );
}

/** Available and held cents. */
export async function moneyOf({ accountId }: Pick<Made, "accountId">): Promise<[available: number, held: number]> {
  const { available, held } = await readBalances(accountId);
  return [available, held];
}
