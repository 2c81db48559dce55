import { forAccount, inBackground, pool } from "@/lib/db";
import { applyReceipts } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { startLoop } from "@/lib/jobs/loop";
import { registry } from "@/lib/jobs/registry";
import type { Sale } from "@/lib/transactions/sale";

const BATCH = 5_000;

/** What a worker does about completed deposits. */
const AFTERWARDS = ["events.consume", "ledger.fold"];

type Run = { deposits: Sale[]; senders: number; seconds: number; together: number; background: boolean };

/** The size of the pool that senders share. */
export const connections = () => pool().options.max;

/** `count` pending deposits of one account. Amounts in cents. */
export async function makeDeposits(accountId: string, count: number): Promise<Sale[]> {
  const deposits: Sale[] = [];
  while (deposits.length < count) {
    const ids = Array.from({ length: Math.min(BATCH, count - deposits.length) }, () => newId());
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
 * Lets `senders` complete deposits for `seconds`, each one call after the other, of `together` deposits each. With
 * `background` the loops of a worker run beside them. Removes from `deposits` what it completes. Returns deposits
 * completed per second.
 */
export async function completeAll({ deposits, senders, seconds, together, background }: Run): Promise<number> {
  const stop = background ? startBackground() : () => {};
  const started = performance.now();
  const until = started + seconds * 1000;
  let completed = 0;
  const send = async () => {
    while (performance.now() < until) {
      const some = deposits.splice(-together);
      if (some.length < together) throw new Error("Void: there were too few deposits");
      const applied = await applyReceipts(some.map((sale) => ({ sale, shares: [], receipt: receiptFor(sale) })));
      if (applied.size !== together) throw new Error("Void: a deposit was not pending");
      completed += together;
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  const perSecond = completed / ((performance.now() - started) / 1000);
  await stop();
  return perSecond;
}

const receiptFor = ({ txid, id, amount }: Sale) => ({
  endToEndId: `E${id.replaceAll("-", "").slice(0, 31)}`,
  txid: txid ?? "",
  amount: Number(amount),
  payer: { name: "Ana Souza", document: "52998224725", ispb: "00000000" },
  paidAt: new Date(),
});

function startBackground() {
  const faults: unknown[] = [];
  const failed = (error: unknown) => void faults.push(error);
  const loops = registry.loops.filter(({ name }) => AFTERWARDS.includes(name));
  const stops = inBackground(() => loops.map((loop) => startLoop(loop, failed)));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    if (faults.length > 0) throw faults[0];
  };
}
