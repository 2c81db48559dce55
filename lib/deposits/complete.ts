import { readContext } from "@/lib/accounts/read";
import { asSystem, forAccount, prisma } from "@/lib/db";
import type { Jobs } from "@/lib/jobs/enqueue";
import { PLATFORM } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { type Receipt, railFor, railNamed } from "@/lib/rails/pix/port";
import { completionOf } from "@/lib/splits/facts";
import { readShares } from "@/lib/splits/read";
import type { Share } from "@/lib/splits/share";
import { moveSales } from "@/lib/transactions/move";
import type { Sale } from "@/lib/transactions/sale";

/**
 * The `deposits.complete` job: asks the rail what really arrived and, if that pays an open deposit to the cent,
 * completes it. Safe to run any number of times and twice at once. Money that pays no deposit of ours is recorded for
 * the operator and posted nowhere. Throws when the rail does not answer or does not know the payment yet, so that the
 * job runs again.
 */
export async function completeDeposit({ provider, endToEndId }: Jobs["deposits.complete"]): Promise<void> {
  const rail = railNamed(provider);
  if (!rail) throw new Error(`No rail is named ${provider}`);
  const receipt = await rail.received(endToEndId);
  if (!receipt) throw new Error(`${provider} does not know ${endToEndId}`);
  const { sale, shares } = await findByTxid(receipt.txid);
  const account = sale?.method === "pix" && (await readContext(sale.accountId));
  if (!sale || !account) return note(provider, receipt, "unknown_txid");
  if (railFor(account.mode)?.provider !== provider) return note(provider, receipt, "another_rail");
  if (sale.amount !== BigInt(receipt.amount)) return note(provider, receipt, "amount_differs");
  const completed = await applyReceipt(sale, shares, receipt);
  if (!completed && !(await isPaidBy(sale, endToEndId))) await note(provider, receipt, "already_paid");
}

/** Completes a sale, posts its money and enqueues its webhooks, together. Returns false when the sale is not open. */
export async function applyReceipt(sale: Sale, shares: readonly Share[], receipt: Receipt): Promise<boolean> {
  const owners = [sale.accountId, ...shares.map(({ recipientId }) => recipientId), PLATFORM];
  return forAccount(owners, async (tx) => {
    const { accountId, id } = sale;
    const { paidAt, endToEndId, payer } = receipt;
    const [moved] = await moveSales(tx, "pay", [{ accountId, id, paidAt, endToEndId, payer }]);
    if (!moved) return false;
    await post(tx, ...completionOf(sale, shares));
    return true;
  });
}

/** The sale of a code, of whatever account. */
const findByTxid = (txid: string) =>
  asSystem(async (tx) => {
    const sale = await tx.transaction.findUnique({ where: { txid } });
    return { sale, shares: sale ? await readShares(tx, [sale.id]) : [] };
  });

async function isPaidBy(sale: Sale, endToEndId: string): Promise<boolean> {
  const where = { accountId_id: { accountId: sale.accountId, id: sale.id } };
  const found = await forAccount(sale.accountId, (tx) => tx.transaction.findUnique({ where }));
  return found?.endToEndId === endToEndId;
}

async function note(provider: string, { endToEndId, txid, amount }: Receipt, reason: string) {
  await prisma().unmatchedReceipt.createMany({
    data: { provider, endToEndId, txid, amount, reason },
    skipDuplicates: true,
  });
}
