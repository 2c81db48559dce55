import { forAccount, inBackground, pool } from "@/lib/db";
import { applyReceipts } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { startLoop } from "@/lib/jobs/loop";
import { registry } from "@/lib/jobs/registry";
import type { Sale } from "@/lib/transactions/sale";

const BATCH = 5_000;

/** What a worker does about completed deposits. */
const AFTERWARDS = ["events.consume", "ledger.fold"];

type Run = {
  deposits: Sale[];
  senders: number;
  seconds: number;
  together: number;
  inSets?: boolean;
  background: boolean;
};

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
 * Lets `senders` have deposits completed for `seconds`, each `together` of them at a time and the next when they are.
 * With `inSets` what waits is completed together, one set after the other, as the worker's loop does; else each sender
 * completes its own. With `background` the other loops of a worker run beside, and the time counts until nothing is left
 * for them; else they run afterwards. Removes from `deposits` what it completes. Returns deposits completed per second.
 */
export async function completeAll(run: Run): Promise<number> {
  const { deposits, senders, seconds, together, background } = run;
  const stop = background ? startBackground() : async () => {};
  const complete = run.inSets ? newSets() : completeSome;
  const started = performance.now();
  const until = started + seconds * 1000;
  let completed = 0;
  const send = async () => {
    while (performance.now() < until) {
      const some = deposits.splice(-together);
      if (some.length < together) throw new Error("Void: there were too few deposits");
      await complete(some);
      completed += together;
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  if (background) await stop().then(doAfterwards);
  const perSecond = completed / ((performance.now() - started) / 1000);
  if (!background) await doAfterwards();
  return perSecond;
}

const loopsAfterwards = registry.loops.filter(({ name }) => AFTERWARDS.includes(name));

const doAfterwards = () =>
  inBackground(async () => {
    for (const { run } of loopsAfterwards) while (await run());
  });

async function completeSome(sales: readonly Sale[]) {
  const applied = await applyReceipts(
    sales.map((sale) => ({ sale, shares: [], mode: "sandbox" as const, receipt: receiptFor(sale) })),
  );
  if (applied.size !== sales.length) throw new Error("Void: a deposit was not pending");
}

/** Completes what waits in sets, one after the other. No more wait than a worker claims at once. */
function newSets() {
  let waiting: Sale[] = [];
  let next: Promise<void> | undefined;
  let last = Promise.resolve();
  return (sales: readonly Sale[]): Promise<void> => {
    waiting.push(...sales);
    next ??= last.then(() => {
      const set = waiting;
      waiting = [];
      next = undefined;
      return completeSome(set);
    });
    last = next;
    return next;
  };
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
  const stops = inBackground(() => loopsAfterwards.map((loop) => startLoop(loop, failed)));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    if (faults.length > 0) throw faults[0];
  };
}
