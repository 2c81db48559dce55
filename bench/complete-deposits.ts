import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { readContext } from "@/lib/accounts/read";
import { forAccount, inBackground, pool, transactionFor } from "@/lib/db";
import { applyReceipts } from "@/lib/deposits/complete";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { startLoop } from "@/lib/jobs/loop";
import { registry } from "@/lib/jobs/registry";
import { move } from "@/lib/move";
import { finishCall } from "@/lib/outside/calls";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCall } from "@/lib/refunds/call";
import { refundNoun } from "@/lib/refunds/noun";
import { idOfCode } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { keys } from "@/lib/simulators/pix/keys";
import { call } from "@/lib/testing/make";
import type { Sale } from "@/lib/transactions/sale";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { requestWithdrawal } from "@/lib/withdrawals/request";
import { CashOutBody } from "@/lib/withdrawals/schema";

const BATCH = 5_000;
/** How many sales are refunded at once. */
const REFUNDERS = 2;
/** How many withdrawals are asked for at once. */
const WITHDRAWERS = 2;

/** What a worker does about completed deposits. */
const AFTERWARDS = ["events.consume", "ledger.fold"];

type Run = {
  deposits: Sale[];
  senders: number;
  seconds: number;
  together: number;
  inSets?: boolean;
  background: boolean;
  refunds?: boolean;
  withdrawals?: boolean;
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
 * for them; else they run afterwards. With `refunds` two more have sales of the account refunded meanwhile, with `withdrawals` two have its
 * money paid out. Removes from `deposits` what it completes. Returns deposits completed per second.
 */
export async function completeAll(run: Run): Promise<number> {
  const { deposits, senders, seconds, together, background } = run;
  const stop = background ? startBackground() : async () => {};
  const complete = run.inSets ? newSets() : completeSome;
  const accountId = deposits[0]?.accountId ?? "";
  const refunded = run.refunds ? await paidSales(accountId, REFUNDERS) : [];
  if (run.withdrawals) await serveDirectory();
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
  const sending = Array.from({ length: senders }, send);
  const refunding = refunded.map((sale) => refund(sale, until));
  const withdrawing = Array.from({ length: run.withdrawals ? WITHDRAWERS : 0 }, () => withdraw(accountId, until));
  await Promise.all([...sending, ...refunding, ...withdrawing]);
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
    sales.map((sale) => ({
      sale,
      shares: [],
      mode: "sandbox" as const,
      provider: "simulator",
      receipt: receiptFor(sale),
    })),
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

/** Some paid sales of the account, of which most is left. */
const paidSales = (accountId: string, take: number) =>
  forAccount(accountId, (tx) =>
    tx.transaction.findMany({ where: { accountId, status: "completed" }, orderBy: { refundedAmount: "asc" }, take }),
  );

/** Has a cent of a sale refunded until the time is over, and then the next. */
async function refund({ accountId, id }: { accountId: string; id: string }, until: number) {
  const account = await readContext(accountId);
  if (!account) throw new Error("Void: no account");
  while (performance.now() < until) {
    const asked = { ...RefundBody.parse({ reason: "other", amount: 0.01 }), id };
    const { code } = (await requestRefund(account, asked, call())).data;
    await approveRefund({ accountId, code }, call());
    const key = { accountId, id: idOfCode(code) ?? "" };
    await transactionFor(accountId, (query) => move(query, refundNoun, "process", [key]));
    await finishCall(refundCall, key, { status: "completed", returnId: null });
  }
}

let isServed = false;

/** Serves the simulated PSP's directory of keys, which is asked whose a key is before money goes out. */
async function serveDirectory(): Promise<void> {
  if (isServed) return;
  isServed = true;
  const context = { params: Promise.resolve({}) };
  const server = serve({ fetch: (request) => keys.POST(request, context), port: 0, hostname: "127.0.0.1" });
  if (!server.listening) await new Promise((listening) => server.once("listening", listening));
  Object.assign(env, { SIMULATOR_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Has a cent of the account paid out until the time is over, and then the next. */
async function withdraw(accountId: string, until: number) {
  const account = await readContext(accountId);
  if (!account) throw new Error("Void: no account");
  const by = { kind: "token", clientId: newId() } as const;
  const input = { ...CashOutBody.parse(PAYOUT), amount: 1, by };
  while (performance.now() < until) {
    const key = { accountId, id: (await requestWithdrawal(account, input, call())).reference_id };
    await transactionFor(accountId, (query) => move(query, withdrawalNoun, "send", [key]));
    const endToEndId = `E${key.id.replaceAll("-", "").slice(0, 31)}`;
    await finishCall(withdrawalCall, key, { status: "paid", endToEndId, paidAt: new Date() });
  }
}

const PAYOUT = {
  ...{ amount: 1, pix_key_type: "EMAIL", pix_key: "ana@loja.example" },
  document: { type: "CPF", number: "52998224725" },
};

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
