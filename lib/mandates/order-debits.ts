import { dayOf } from "@/lib/billing/calendar";
import { txidOf } from "@/lib/billing/charge";
import { inParallel } from "@/lib/concurrency/parallel";
import { asSystem, isPicked, runPrepared, transactionOverAll } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { log } from "@/lib/log";
import { automaticOf } from "@/lib/mandates/call";
import { applyDebit, applyMandate, refreshMandate } from "@/lib/mandates/report";
import { watch } from "@/lib/outside/watch";
import type { Debit, Refused } from "@/lib/rails/pix/automatic";
import { businessNow, realNow } from "@/lib/time/clock";
import type { DebitOrderKind } from "@/prisma/client/enums";

/** How many orders a batch has, and how many of them are asked at once. */
const BATCH = 50;
const AT_ONCE = 10;
/** How long after its due instant, or from now on, a debit is first asked about without a callback. */
const WATCH_AFTER_MS = 60 * 60_000;

type Order = { accountId: string; id: string; kind: DebitOrderKind; day: string | null };

/**
 * Asks rails what waits to be asked of debits and mandates: to instruct, to retry, to cancel; and tells a simulated one how
 * late it is. What a rail does not answer is asked again later, which does nothing twice. Returns whether more may be
 * waiting. With `only`, it asks for one account.
 */
export async function orderDebits(only?: string): Promise<boolean> {
  const orders = await transactionOverAll((query) => query<Order>("debit_orders_claim", CLAIM, [only ?? null]));
  await inParallel(orders, AT_ONCE, (one) =>
    ask(one).catch(async (error) => {
      log.warn({ ...one, error }, "a rail was not asked about a debit yet");
      await transactionOverAll((query) => query("debit_order_later", LATER, [one.accountId, one.id, one.kind]));
    }),
  );
  return orders.length === BATCH;
}

/** At first after 10 s and at last after an hour. An order that was written anew meanwhile is due at once. */
const LATER = `update debit_orders
  set ask_at = now() + least(interval '10 seconds' * 2 ^ least(attempts - 1, 10), interval '1 hour')
  where account_id = $1::uuid and id = $2::uuid and kind = $3::"DebitOrderKind" and attempts > 0`;

/** Claims orders by moving them ahead by some seconds; if this process dies, another one asks then. */
const CLAIM = `with due as (
    select account_id, id, kind from debit_orders where ask_at <= now() and ($1::uuid is null or account_id = $1::uuid)
    order by ask_at limit ${BATCH} for update skip locked
  )
  update debit_orders o set attempts = o.attempts + 1, ask_at = now() + interval '5 seconds'
  from due d where ${isPicked("o", "d")} and o.kind = d.kind
  returning o.account_id as "accountId", o.id, o.kind, o.day`;

async function ask(one: Order): Promise<void> {
  if (one.kind === "cancel_mandate" || one.kind === "pass_days") await askAboutMandate(one);
  else await askAboutDebit(one);
  const { accountId, id, kind, day } = one;
  // One that was written anew meanwhile is of another day, or was not tried yet.
  await asSystem((tx) => tx.debitOrder.deleteMany({ where: { accountId, id, kind, day, attempts: { gt: 0 } } }));
}

async function askAboutMandate({ accountId, id, kind }: Order) {
  const mandate = await asSystem((tx) => tx.mandate.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));
  const { provider, providerId } = mandate;
  if (!providerId) return;
  const automatic = automaticOf(provider);
  if (kind === "cancel_mandate") {
    const answer = await automatic.cancelMandate(providerId);
    if (answer.status !== "refused") await applyMandate(provider, answer);
    return;
  }
  const changed = await automatic.simulate?.passDays([providerId], await nowOf(accountId));
  for (const mandateId of changed?.mandateIds ?? []) await refreshMandate(provider, mandateId);
  for (const txid of changed?.txids ?? []) {
    const truth = await automatic.readDebit(txid);
    if (truth?.endToEndId) await completeDeposit({ provider, endToEndId: truth.endToEndId });
    if (truth) await applyDebit(provider, truth);
  }
}

async function askAboutDebit({ accountId, id, kind, day }: Order) {
  const sale = await asSystem((tx) => tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));
  const { mandate, cycle, timeZone } = await factsOf(accountId, sale.subscriptionId ?? "", sale.cycleId ?? "");
  if (!mandate.providerId) throw new Error(`The mandate of ${id} has no id of its rail`);
  const automatic = automaticOf(mandate.provider);
  const at = await nowOf(accountId);
  const txid = txidOf(id);
  const order = () =>
    automatic.instructDebit({
      ...{ txid, mandateId: mandate.providerId ?? "", amount: Number(sale.amount), at },
      dueDate: dayOf(cycle.dueAt, timeZone),
    });
  if (kind === "cancel") return void (await automatic.cancelDebit({ txid, at }));
  // Cancelled before the rail was asked, or before its answer was heard.
  if (cycle.chargingId !== id) return void (await automatic.cancelDebit({ txid, at }));
  const answer = kind === "instruct" ? await order() : await automatic.retryDebit({ txid, date: day ?? "", at });
  if (answer.status === "lost") throw new Error("The rail was not reached");
  if (answer.status === "refused") return refuse(mandate.provider, txid, answer);
  const now = await factsOf(accountId, sale.subscriptionId ?? "", cycle.id);
  if (now.cycle.chargingId !== id) await automatic.cancelDebit({ txid, at }); // while the rail was asked
  const watchAt = new Date(Math.max(realNow().getTime(), cycle.dueAt.getTime()) + WATCH_AFTER_MS);
  await transactionOverAll((query) => watch(query, "debit", mandate.provider, [txid], watchAt));
}

/** A debit that the rail refuses has ended for us, whatever it says of it. */
async function refuse(provider: string, txid: string, { reason }: Refused) {
  log.warn({ provider, txid, reason }, "a rail refused a debit");
  const ended: Debit = {
    ...{ txid, mandateId: "", amount: 0, dueDate: "", status: "rejected", endToEndId: null },
    ...{ cancelledBy: null, reason, attempts: [] },
  };
  await applyDebit(provider, ended);
}

const factsOf = (accountId: string, subscriptionId: string, cycleId: string) =>
  asSystem(async (tx) => {
    const key = (id: string) => ({ where: { accountId_id: { accountId, id } } });
    const { mandateId } = await tx.subscription.findUniqueOrThrow(key(subscriptionId));
    const mandate = await tx.mandate.findUniqueOrThrow(key(mandateId ?? ""));
    const cycle = await tx.cycle.findUniqueOrThrow(key(cycleId));
    const { timeZone } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { timeZone: true } });
    return { mandate, cycle, timeZone };
  });

/** The present on an account's clock. */
async function nowOf(accountId: string): Promise<Date> {
  const text = `select o.ms from (select set_config('app.accounts', $1::text, true) as account offset 0) scope
    cross join lateral (
      select clock_offset_ms::text as ms from accounts where id = scope.account::uuid offset 0
    ) o`;
  const [row] = await runPrepared<{ ms: string }>("account_clock", text, [accountId]);
  return businessNow({ clockOffsetMs: Number(row?.ms ?? 0) });
}
