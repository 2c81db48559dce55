import { actAs } from "@/lib/actor";
import { lockSubscription } from "@/lib/billing/lock";
import { beginChange, type SubscriptionChange } from "@/lib/billing/subscription-change";
import type { Cycle } from "@/lib/billing/tables";
import { runDueTimers } from "@/lib/billing/timers";
import { failDebit, moveMandate, replaceDebit } from "@/lib/billing/transitions";
import { writeChanges } from "@/lib/billing/write";
import { forAccount, type Query, runPrepared, SCOPE_OF_ALL, transactionOverAll } from "@/lib/db";
import { idOf } from "@/lib/ids";
import { automaticOf } from "@/lib/mandates/offer-call";
import { askAbout, type Progress, readEach, type WatchKind, writeEach } from "@/lib/outside/watch";
import type { Debit, Mandate } from "@/lib/rails/pix/automatic";

/** The watch over mandates of Pix Automático, by the rail's id of them. */
export const mandateWatch: WatchKind<Mandate> = {
  name: "mandate",
  read: readEach(async (provider, mandateId) => automaticOf(provider).readMandate(mandateId)),
  write: writeEach(applyMandate),
};

/** The watch over debits of Pix Automático, by their txid. */
export const debitWatch: WatchKind<Debit> = {
  name: "debit",
  read: readEach(async (provider, txid) => automaticOf(provider).readDebit(txid)),
  write: writeEach(applyDebit),
};

/** Moves a mandate as its rail reports it. Throws for one that is not written yet. */
export async function applyMandate(provider: string, mandate: Mandate): Promise<Progress> {
  const key = await subscriptionOfMandate(provider, mandate.mandateId);
  await applyReport(provider, key, (change) => moveMandate(change, mandate));
  return isOver(mandate) ? "over" : "open";
}

/** A debit that was paid arrives as money; one that was not fails an attempt. Throws for one that is no sale's. */
export async function applyDebit(provider: string, debit: Debit): Promise<Progress> {
  if (debit.endToEndId) await askAbout("payment", provider, [{ id: debit.endToEndId }]);
  const saleId = idOf(debit.txid) ?? debit.txid;
  const key = await subscriptionOfSale(saleId);
  await applyReport(provider, key, (change) => {
    const { cycle } = change;
    if (cycle?.chargingSaleId === saleId) failUnpaid(change, cycle, saleId, debit);
  });
  return debit.status === "concluded" || isEnded(debit) ? "over" : "open";
}

const isOver = ({ status }: Mandate) => status === "rejected" || status === "expired" || status === "cancelled";
const isEnded = ({ status }: Debit) => status === "rejected" || status === "expired" || status === "cancelled";

/** Given the same truth again, it finds the failed attempt counted, or the debit ended. */
function failUnpaid(change: SubscriptionChange, cycle: Cycle, saleId: string, debit: Debit) {
  const failed = debit.attempts.filter(({ status }) => status === "expired" || status === "rejected").length;
  if (isEnded(debit)) {
    // One that was instructed too late was never tried, so nobody failed to pay it.
    if (cycle.dueAt > change.now || debit.attempts.length === 0) replaceDebit(change, cycle, saleId);
    else failDebit(change, cycle, saleId, true);
  } else if (failed > cycle.retries) failDebit(change, cycle, saleId, false);
}

/** How many offers are read at once: the newest, of which a callback may still be on its way. */
const OFFERED = 50;

/** Follows what became of an account's offers, without waiting for callbacks. */
export async function refreshOfferedMandates(accountId: string): Promise<void> {
  const offered = await forAccount(accountId, (tx) =>
    tx.mandate.findMany({
      where: { accountId, status: "created", providerId: { not: null } },
      ...{ orderBy: { id: "desc" }, take: OFFERED },
    }),
  );
  for (const { provider, providerId } of offered) await refreshMandate(provider, providerId ?? "");
}

/** Follows what became of one mandate, without waiting for a callback. */
export async function refreshMandate(provider: string, mandateId: string): Promise<void> {
  const truth = await automaticOf(provider).readMandate(mandateId);
  if (truth) await applyMandate(provider, truth);
}

type Key = { accountId: string; id: string };

/** Changes a subscription by what its rail reported. */
async function applyReport(provider: string, key: Key, act: (change: SubscriptionChange) => void): Promise<void> {
  await transactionOverAll(async (query: Query) => {
    const loaded = await lockSubscription(query, key);
    const change = actAs({ kind: "rail", id: provider }, () => beginChange(loaded));
    act(change);
    runDueTimers(change);
    await writeChanges(query, [change]);
  });
}

async function subscriptionOfMandate(provider: string, mandateId: string): Promise<Key> {
  const [found] = await runPrepared<Key>("mandate_subscription", OF_MANDATE, [provider, mandateId]);
  if (!found) throw new Error(`The mandate ${mandateId} is not written yet`);
  return found;
}

const OF_MANDATE = `with ${SCOPE_OF_ALL}
  select m.account_id as "accountId", m.subscription_id as id from scope cross join lateral (
    select * from mandates where scope.name is not null and provider = $1 and provider_id = $2 offset 0
  ) m`;

async function subscriptionOfSale(saleId: string): Promise<Key> {
  const [found] = await runPrepared<Key>("debit_subscription", OF_SALE, [saleId]);
  if (!found) throw new Error(`No debit is the sale ${saleId}`);
  return found;
}

const OF_SALE = `with ${SCOPE_OF_ALL}
  select c.account_id as "accountId", c.subscription_id as id from scope cross join lateral (
    select account_id, subscription_id from transactions
    where scope.name is not null and txid = replace($1::text, '-', '') and subscription_id is not null offset 0
  ) c`;
