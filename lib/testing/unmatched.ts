import { actAs } from "@/lib/actor";
import { asSystem, prisma } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { matchUnmatched } from "@/lib/deposits/match";
import { newAlphanumeric } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { makeDueCalls } from "@/lib/outside/run";
import { PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { newEndToEndId, recordPix } from "@/lib/simulators/pix/records";
import { call } from "@/lib/testing/make";
import { letTimePass, STAFF } from "@/lib/testing/refunds";
import { returnCalls } from "@/lib/unmatched/call";
import { creditUnmatched } from "@/lib/unmatched/credit";
import { returnUnmatched } from "@/lib/unmatched/return";
import { returnDue } from "@/lib/unmatched/return-due";
import type { UnmatchedReceipt } from "@/prisma/client/client";

export const PAYER = { name: "Ana Prado", document: "***.982.247-**", ispb: "99999999" };

/** A Pix that arrives at the simulated PSP and completes no sale, as the watch over payments records it. */
export async function moneyArrives({ txid = newAlphanumeric(25), amount = 10_000 } = {}): Promise<UnmatchedReceipt> {
  const endToEndId = newEndToEndId("99999999");
  await recordPix({ end_to_end_id: endToEndId, txid, key: PIX_KEY, amount, payer: PAYER });
  await completeDeposit({ provider: "simulator", endToEndId });
  return unmatchedBy(endToEndId);
}

/** Unmatched money by the end-to-end id of its payment. */
export const unmatchedBy = (endToEndId: string): Promise<UnmatchedReceipt> =>
  asSystem((tx) => tx.unmatchedReceipt.findFirstOrThrow({ where: { endToEndId } }));

export const again = ({ endToEndId }: UnmatchedReceipt) => unmatchedBy(endToEndId);

const keyOf = ({ accountId, id }: UnmatchedReceipt) => ({ accountId, id, reason: "Pago pela pessoa certa." });

/** What a person of the staff decides. */
export const match = (money: UnmatchedReceipt, transaction: string, intent = call()) =>
  actAs(STAFF, () => matchUnmatched({ ...keyOf(money), transaction }, intent));
export const credit = (money: UnmatchedReceipt, to: string, intent = call()) =>
  actAs(STAFF, () => creditUnmatched({ ...keyOf(money), to }, intent));
export const giveBack = (money: UnmatchedReceipt, intent = call()) =>
  actAs(STAFF, () => returnUnmatched(keyOf(money), intent));

/** Does what goes back by itself, and makes the calls of all returns, with minutes passing. */
export async function returnAll(): Promise<void> {
  while (await returnDue());
  await letTimePass(16);
  while (await makeDueCalls(returnCalls));
}

/** What went back of a payment in the simulated PSP's records. */
export const returnsAtPsp = ({ endToEndId }: UnmatchedReceipt) =>
  prisma().simulatorDevolucao.findMany({ where: { endToEndId }, select: { amount: true, status: true } });

/** What the platform of sandboxes holds without a sale, in cents. */
export async function heldCents(): Promise<number> {
  const [row] = await asSystem(
    (tx) => tx.$queryRaw<{ amount: bigint }[]>`select coalesce(sum(amount), 0)::bigint as amount from ledger_entries
      where account_id = ${platforms.sandbox}::uuid and kind = 'unmatched'`,
  );
  return Number(row?.amount);
}
