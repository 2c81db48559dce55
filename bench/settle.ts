import { forAccount } from "@/lib/db";
import { applyReceipt } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { startRelay } from "@/lib/jobs/relay";
import { foldTails } from "@/lib/ledger/fold";
import type { Transaction } from "@/prisma/client/client";

/** How often a worker folds (lib/jobs/registry.ts). */
const FOLD_EVERY_MS = 2_000;
const BATCH = 5_000;

type Run = { sales: Transaction[]; senders: number; seconds: number; relay: boolean };

/** `count` open deposits of one account, ready to be paid. Amounts in cents. */
export async function makeSales(accountId: string, count: number): Promise<Transaction[]> {
  const sales: Transaction[] = [];
  while (sales.length < count) {
    const ids = Array.from({ length: Math.min(BATCH, count - sales.length) }, newId);
    await forAccount(
      accountId,
      (tx) => tx.$executeRaw`
        insert into transactions (account_id, id, method, status, amount, fee, net, txid, created_at, updated_at)
        select ${accountId}::uuid, id, 'pix', 'pending', 10000, 199, 9801, left(md5(id::text), 25),
          now(), now()
        from unnest(${ids}::uuid[]) as id`,
    );
    const where = { accountId, id: { in: ids } };
    sales.push(...(await forAccount(accountId, (tx) => tx.transaction.findMany({ where }))));
  }
  return sales;
}

/**
 * Lets so many senders complete deposits of one account, one after the other each, for `seconds`; with `relay` a worker's
 * relay and fold run beside them. Removes what it completes from `sales`. Returns completions a second.
 */
export async function settleAll({ sales, senders, seconds, relay }: Run): Promise<number> {
  const background = relay ? startBackground() : () => {};
  const started = performance.now();
  const until = started + seconds * 1000;
  let completed = 0;
  const send = async () => {
    while (performance.now() < until) {
      const sale = sales.pop();
      if (!sale) throw new Error("Void: there were too few deposits");
      if (!(await applyReceipt(sale, [], receiptFor(sale)))) throw new Error("Void: a deposit was not open");
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
