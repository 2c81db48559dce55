import { waitsToBill } from "@/lib/accounts/context";
import { detachCard } from "@/lib/billing/card";
import { lockSubscriptionOf } from "@/lib/billing/lock";
import { type Closed, closedReason, findCycleOf, payCycles } from "@/lib/billing/pay-cycles";
import { beginChange, type SubscriptionChange, updateCycle } from "@/lib/billing/subscription-change";
import { runDueTimers } from "@/lib/billing/timers";
import { failAttempt } from "@/lib/billing/transitions";
import { writeChanges } from "@/lib/billing/write";
import { readChargeTerms } from "@/lib/charges/call";
import { openStoredCard } from "@/lib/charges/stored-card";
import { type Query, queryOf, transactionFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { platforms } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import type { CallKey, CallKind, Lost } from "@/lib/outside/calls";
import { acquirerNamed } from "@/lib/rails/cards/acquirers";
import type { Outcome } from "@/lib/rails/cards/port";
import { completionOf } from "@/lib/splits/postings";
import { DAY_MS } from "@/lib/time/calendar";
import { businessNow, realNow } from "@/lib/time/clock";
import { moveSales, writeCard } from "@/lib/transactions/move";
import { readSale, type Sale } from "@/lib/transactions/sale";
import { receiveUnmatchedCard } from "@/lib/unmatched/receive";

/** How long after a charge that never reached the acquirer it is tried again. */
const AGAIN_AFTER_MS = 15 * 60_000;

/** The call that charges a card for a cycle. Our id of the call is its sale's id. */
export const cycleCharge = {
  name: "cycle_charge",
  owners: () => Object.values(platforms),

  /** Throws where no acquirer is there, or where the account may not sell. */
  async send(tx, { accountId, id, provider }) {
    const account = await tx.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { mode: true, name: true, status: true, storageFullAt: true, clockOffsetMs: true },
    });
    const acquirer = acquirerNamed(provider);
    if (!acquirer) throw new Error(`No acquirer is named ${provider}`);
    if (waitsToBill({ ...account, isFull: account.storageFullAt !== null }))
      throw new Error("The account may not sell");
    const sale = await readSale(queryOf(tx), { accountId, id });
    const where = { accountId_id: { accountId, id: sale.subscriptionId ?? "" } };
    const { cycleId, storedCardId } = await tx.subscription.findUniqueOrThrow({ where });
    if (cycleId !== sale.cycleId || !storedCardId) {
      await moveSales(tx, "fail", [{ accountId, id }]);
      return undefined;
    }
    const opened = await openStoredCard(tx, accountId, storedCardId).catch(notKept);
    if (!opened) return refuse(queryOf(tx), sale);
    await writeCard(tx, sale, opened);
    const { card, brand } = opened;
    const described = { softDescriptor: account.name, at: businessNow(account) };
    const asked = { id, amount: Number(sale.amount), installments: 1, card, brand, ...described };
    const onFile = (await wasCharged(queryOf(tx), sale, storedCardId)) ? "recurring" : "replaced";
    return () => acquirer.charge({ ...asked, onFile });
  },

  async find({ accountId, id, provider }) {
    const acquirer = acquirerNamed(provider);
    if (!acquirer) throw new Error(`No acquirer is named ${provider}`);
    const { amount, status } = await transactionFor(accountId, (query) => readSale(query, { accountId, id }));
    return acquirer.find({ id, amount: Number(amount), isWanted: status === "pending" });
  },

  /** Pays the cycle, or fails its attempt; the subscription, its sale and the money move together. */
  async write(query, call, outcome) {
    const sale = await readSale(query, call);
    if (outcome.status === "approved") return payByCard(query, call, sale);
    const change = beginChange(await lockSubscriptionOf(query, sale));
    if (outcome.status === "lost") return await retryLost(query, call, sale, change);
    const { reason, isHard } = outcome;
    const [moved] = await moveSales(query, "refuse", [{ ...call, reason, isHard }]);
    const cycle = await findCycleOf(query, sale, change.cycle);
    if (moved && cycle) failAttempt(change, cycle, isHard);
    await dropCard(query, sale, change);
    runDueTimers(change);
    await writeChanges(query, [change]);
    return moved?.sale;
  },

  writeSecond: reportUnmatched,
} satisfies CallKind<Outcome, Sale>;

/** Whether a subscription's card on file was charged before: since it was given, a charge of it was paid. */
const wasCharged = async (query: Query, { accountId, subscriptionId }: Sale, storedCardId: string) =>
  (await query("stored_card_charged", CHARGED, [accountId, subscriptionId, storedCardId])).length > 0;

const CHARGED = `select from stored_cards s join cycles c on c.account_id = s.account_id and c.subscription_id = $2::uuid
    join transactions t on t.account_id = c.account_id and t.id = c.transaction_id
      and t.paid_at >= s.consented_at and t.card_brand = s.brand and t.card_last4 = s.last4
  where s.account_id = $1::uuid and s.id = $3::uuid limit 1`;

/** Nothing where the card is not on file any more, or was kept by a charge that was lost since. */
function notKept(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

/** A card that is not on file any more is refused for good, as its issuer would. */
async function refuse(query: Query, sale: Sale): Promise<undefined> {
  const { accountId, id, cycleId } = sale;
  const change = beginChange(await lockSubscriptionOf(query, sale));
  await moveSales(query, "refuse", [{ accountId, id, reason: "card_not_kept", isHard: true }]);
  if (change.cycle?.id !== cycleId) return;
  failAttempt(change, change.cycle, true);
  runDueTimers(change);
  await writeChanges(query, [change]);
}

async function payByCard(query: Query, call: CallKey, sale: Sale): Promise<Sale | undefined> {
  const [paid] = await payCycles(query, [sale], async ([first]) => {
    if (!first) return [];
    const { days, net, fee, mode, shares } = await readChargeTerms(query, call);
    const paidAt = realNow();
    const settleAt = new Date(paidAt.getTime() + days * DAY_MS);
    const posts = completionOf({ ...call, method: "card", net: BigInt(net), fee: BigInt(fee), mode }, shares);
    return moveSales(query, "pay", [{ ...call, paidAt, settleAt, posts }]);
  });
  if (paid) return paid.sale;
  await moveSales(query, "fail", [call]);
  await reportUnmatched(query, call, { status: "approved" });
  return undefined;
}

/**
 * Nothing was charged, so it counts as no attempt: it is tried again soon, also where a new card was given for what is
 * suspended, because no other timer would ever try that card. What a person asked for by enrolling or by an upgrade is not
 * charged behind their back: it has failed, and they may ask again.
 */
async function retryLost(
  query: Query,
  call: CallKey,
  sale: Sale,
  change: SubscriptionChange,
): Promise<Sale | undefined> {
  log.warn({ ...call, subscriptionId: sale.subscriptionId }, "a charge did not reach the acquirer");
  const [moved] = await moveSales(query, "fail", [call]);
  const { cycle, now } = change;
  const { status } = change.subscription;
  const isAskedAgain = cycle?.kind === "cycle" && status !== "pending_first_payment";
  if (cycle?.id === sale.cycleId && !isAskedAgain) {
    failAttempt(change, cycle, true);
    await dropCard(query, sale, change);
  } else if (cycle?.id === sale.cycleId) {
    change.delayedUntil = new Date(now.getTime() + AGAIN_AFTER_MS);
    const again = status === "active" ? {} : { retryAt: change.delayedUntil, retries: Math.max(0, cycle.retries - 1) };
    updateCycle(change, cycle, { ...again, chargingSaleId: null });
  }
  await writeChanges(query, [change]);
  return moved?.sale;
}

/** A card whose first charge was refused is not kept. */
async function dropCard(query: Query, { accountId, id }: Sale, change: SubscriptionChange) {
  const [dropped] = await query<{ id: string }>("stored_card_refused", DROP, [accountId, id]);
  if (dropped && dropped.id === change.subscription.storedCardId) detachCard(change);
}

const DROP = "delete from stored_cards where account_id = $1::uuid and transaction_id = $2::uuid returning id";

/** Records money that the acquirer moved for a cycle that it does not pay: the operator has to give it back. */
async function reportUnmatched(query: Query, call: CallKey, outcome: Outcome | Lost) {
  if (outcome.status !== "approved") return;
  const { id, accountId, amount, paidAt, cycleId } = await readSale(query, call);
  if (paidAt) return;
  log.error({ accountId, transactionId: id }, "a card was charged for a cycle that it does not pay");
  const [cycle] = await query<{ reason: Closed }>("cycle_not_paid", WHY_NOT_PAID, [accountId, cycleId]);
  if (cycle) await receiveUnmatchedCard(query, { accountId, id, amount, reason: cycle.reason });
}

const WHY_NOT_PAID = `select coalesce(${closedReason("status")}, 'cycle_already_paid') as reason
  from cycles where account_id = $1::uuid and id = $2::uuid`;
