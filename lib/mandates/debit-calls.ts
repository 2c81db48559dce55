import { dayOf } from "@/lib/billing/calendar";
import { lockSubscription, lockSubscriptionOf } from "@/lib/billing/lock";
import { findCycles } from "@/lib/billing/pay-cycles";
import { beginChange } from "@/lib/billing/subscription-change";
import { runDueTimers } from "@/lib/billing/timers";
import { moveMandate, replaceDebit } from "@/lib/billing/transitions";
import { writeChanges } from "@/lib/billing/write";
import { queryOf, type Tx } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { digitsOf, newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { automaticOf } from "@/lib/mandates/offer-call";
import { applyDebit, refreshMandate } from "@/lib/mandates/report";
import { type CallKind, writeCalls } from "@/lib/outside/calls";
import { watch } from "@/lib/outside/watch";
import type { Debit, DebitOrder, Mandate, Refused } from "@/lib/rails/pix/automatic";
import { businessNow, realNow } from "@/lib/time/clock";
import { readSale } from "@/lib/transactions/sale";

/** How long after its due instant, or from now on, a debit is first asked about without a callback. */
const WATCH_AFTER_MS = 60 * 60_000;

/** What a call about a debit needs: its sale, and of a retry the local day of the next attempt. */
export type DebitInput = { saleId: string; day?: string };
/** What a call about a mandate needs: our id of it. */
export type MandateInput = { mandateId: string };

/** The debit was given up before the rail was asked, or before its answer was heard: it was cancelled instead. */
type GivenUp = { status: "given_up" };
const GIVEN_UP: GivenUp = { status: "given_up" };

type Instructed = Debit | Refused | GivenUp;

/** The call that instructs a debit by a mandate. */
export const instructDebit = debitKind("instruct_debit", (automatic, order, { isRepeat }) =>
  automatic.instructDebit({ ...order, isRepeat }),
);

/** The call that asks for another attempt of a debit. */
export const retryDebit = debitKind("retry_debit", (automatic, { txid, at }, { day: date, isRepeat }) =>
  automatic.retryDebit({ txid, date, at, isRepeat }),
);

type AutomaticPix = ReturnType<typeof automaticOf>;
type Asks = (
  automatic: AutomaticPix,
  order: DebitOrder,
  asked: { day: string; isRepeat: boolean },
) => ReturnType<AutomaticPix["instructDebit"] | AutomaticPix["retryDebit"]>;

function debitKind(name: string, ask: Asks) {
  return {
    name,
    isIdempotent: true,

    async send(tx, call) {
      const { saleId, day = "" } = call.input as DebitInput;
      const { cycle, mandate, order } = await readDebit(tx, call.accountId, saleId);
      const automatic = automaticOf(mandate.provider);
      if (cycle.chargingSaleId === saleId) return () => ask(automatic, order, { day, isRepeat: call.isRepeat });
      return async () => {
        await automatic.cancelDebit(order);
        return GIVEN_UP;
      };
    },

    /** From now on the debit is watched; one that the rail refuses has ended for us, whatever it says of it. */
    async write(query, call, answer) {
      if (answer.status === "given_up") return;
      const { accountId, provider } = call;
      const { saleId } = call.input as DebitInput;
      const sale = await readSale(query, { accountId, id: saleId });
      const change = beginChange(await lockSubscriptionOf(query, sale));
      const cycle = change.cycle?.chargingSaleId === saleId ? change.cycle : undefined;
      if (answer.status === "refused") {
        log.warn({ provider, saleId, reason: answer.reason }, "a rail refused a debit");
        if (cycle) replaceDebit(change, cycle, saleId);
        runDueTimers(change);
        return writeChanges(query, [change]);
      }
      // Given up while the rail was asked: a cancellation that it heard before it heard this has changed nothing.
      if (!cycle)
        await writeCalls(query, [{ accountId, id: newId(), kind: cancelDebit.name, provider, input: { saleId } }]);
      const { dueAt } = cycle ??
        (await findCycles(query, [sale])).get(sale.cycleId ?? "")?.cycle ?? { dueAt: realNow() };
      const watchAt = new Date(Math.max(realNow().getTime(), dueAt.getTime()) + WATCH_AFTER_MS);
      await watch(query, "debit", provider, [digitsOf(saleId)], watchAt);
    },
  } satisfies CallKind<Instructed>;
}

/** The call that cancels a debit. One that is not to be cancelled any more has come to its end. */
export const cancelDebit = {
  name: "cancel_debit",
  isIdempotent: true,

  async send(tx, { accountId, input, provider }) {
    const at = await nowOf(tx, accountId);
    const txid = digitsOf((input as DebitInput).saleId);
    return () => automaticOf(provider).cancelDebit({ txid, at });
  },

  async write() {},
} satisfies CallKind<Debit | Refused>;

/** The call that ends a mandate. */
export const cancelMandate = {
  name: "cancel_mandate",
  isIdempotent: true,

  async send(tx, { accountId, input, provider }) {
    const { providerId } = await readMandate(tx, accountId, (input as MandateInput).mandateId);
    return providerId === null ? undefined : () => automaticOf(provider).cancelMandate(providerId);
  },

  async write(query, { accountId, input }, answer) {
    if (answer.status === "refused" || answer.status === "lost") return;
    const [mandate] = await query<{ id: string }>("mandate_read", MANDATE, [
      accountId,
      (input as MandateInput).mandateId,
    ]);
    const change = beginChange(await lockSubscription(query, { accountId, id: mandate?.id ?? "" }));
    moveMandate(change, answer);
    runDueTimers(change);
    await writeChanges(query, [change]);
  },
} satisfies CallKind<Mandate | Refused>;

const MANDATE = "select subscription_id as id from mandates where account_id = $1::uuid and id = $2::uuid";

/** The call that gives a simulated rail the time. What changed by that is asked about as after a callback. */
export const passDays = {
  name: "pass_days",
  isIdempotent: true,

  async send(tx, { accountId, input, provider }) {
    const { providerId } = await readMandate(tx, accountId, (input as MandateInput).mandateId);
    const at = await nowOf(tx, accountId);
    return providerId === null ? undefined : () => followDays(provider, providerId, at);
  },

  async write() {},
} satisfies CallKind<{ status: "passed" }>;

async function followDays(provider: string, providerId: string, at: Date) {
  const automatic = automaticOf(provider);
  const changed = await automatic.simulate?.passDays([providerId], at);
  for (const mandateId of changed?.mandateIds ?? []) await refreshMandate(provider, mandateId);
  for (const txid of changed?.txids ?? []) {
    const truth = await automatic.readDebit(txid);
    if (truth?.endToEndId) await completeDeposit({ provider, endToEndId: truth.endToEndId });
    if (truth) await applyDebit(provider, truth);
  }
  return { status: "passed" } as const;
}

/** A debit's cycle and mandate, and the order for it. */
async function readDebit(tx: Tx, accountId: string, saleId: string) {
  const key = (id: string | null) => ({ where: { accountId_id: { accountId, id: id ?? "" } } });
  const sale = await readSale(queryOf(tx), { accountId, id: saleId });
  const { mandateId } = await tx.subscription.findUniqueOrThrow(key(sale.subscriptionId));
  const mandate = await readMandate(tx, accountId, mandateId ?? "");
  const { providerId } = mandate;
  if (!providerId) throw new Error(`The mandate of ${saleId} has no id of its rail`);
  const cycle = await tx.cycle.findUniqueOrThrow(key(sale.cycleId));
  const { timeZone } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { timeZone: true } });
  const order: DebitOrder = {
    ...{ txid: digitsOf(saleId), mandateId: providerId, amount: Number(sale.amount) },
    ...{ dueDate: dayOf(cycle.dueAt, timeZone), at: await nowOf(tx, accountId) },
  };
  return { cycle, mandate, order };
}

const readMandate = (tx: Tx, accountId: string, id: string) =>
  tx.mandate.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });

/** The present on an account's clock. */
async function nowOf(tx: Tx, id: string): Promise<Date> {
  const account = await tx.account.findUniqueOrThrow({ where: { id }, select: { clockOffsetMs: true } });
  return businessNow(account);
}
