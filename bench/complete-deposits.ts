import { forAccount, pool } from "@/lib/db";
import { applyReceipt } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { startRelay } from "@/lib/jobs/relay";
import { foldTails } from "@/lib/ledger/fold";
import type { Transaction } from "@/prisma/client/client";

/** How often a worker folds (lib/jobs/registry.ts). */
const FOLD_EVERY_MS = 2_000;
const BATCH = 5_000;

type Run = { deposits: Transaction[]; senders: number; seconds: number; relay: boolean };

/** The size of the pool that senders share. */
export const connections = () => pool().options.max;

/** `count` pending deposits of one account. Amounts in cents. */
export async function makeDeposits(accountId: string, count: number): Promise<Transaction[]> {
  const deposits: Transaction[] = [];
  while (deposits.length < count) {
    const ids = Array.from({ length: Math.min(BATCH, count - deposits.length) }, newId);
    await forAccount(
      accountId,
      (tx) => tx.$executeRaw`
        insert into transactions (account_id, id, method, status, amount, fee, net, txid, created_at, updated_at)
        select ${accountId}::uuid, id, 'pix', 'pending', 10000, 199, 9801, left(md5(id::text), 25),
          now(), now()
        from unnest(${ids}::uuid[]) as id`,
    );
    const where = { accountId, id: { in: ids } };
    deposits.push(...(await forAccount(accountId, (tx) => tx.transaction.findMany({ where }))));
  }
  return deposits;
}

/**
 * Lets `senders` complete deposits for `seconds`, each one deposit after the other. With `relay` a worker's relay and
 * fold run beside them. Removes from `deposits` what it completes. Returns deposits completed per second.
 */
export async function completeAll({ deposits, senders, seconds, relay }: Run): Promise<number> {
  const background = relay ? startBackground() : () => {};
  const started = performance.now();
  const until = started + seconds * 1000;
  let completed = 0;
  const send = async () => {
    while (performance.now() < until) {
      const deposit = deposits.pop();
      if (!deposit) throw new Error("Void: there were too few deposits");
      if (!(await applyReceipt(deposit, [], receiptFor(deposit)))) throw new Error("Void: a deposit was not pending");
      completed += 1;
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  const perSecond = completed / ((performance.now() - started) / 1000);
  await background();
  return perSecond;
}

const receiptFor = ({ txid, id, amount }: Transaction) => ({
  endToEndId: `E${id.replaceAll("-", "").slice(0, 31)}`,
  txid: txid ?? "",
  amount: Number(amount),
  payer: { name: "Ana Souza", document: "52998224725", ispb: "00000000" },
  paidAt: new Date(),
});

function startBackground() {
  const faults: unknown[] = [];
  const stopRelay = startRelay((error) => faults.push(error));
  const timer = setInterval(() => void foldTails().catch((error) => faults.push(error)), FOLD_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await stopRelay();
    if (faults.length > 0) throw faults[0];
  };
}
