import { waitsToBill } from "@/lib/accounts/context";
import { cycleCharge } from "@/lib/billing/card-call";
import { lockSubscriptions } from "@/lib/billing/lock";
import { beginChange } from "@/lib/billing/subscription-change";
import { runDueTimers } from "@/lib/billing/timers";
import { failAttempt } from "@/lib/billing/transitions";
import { writeChanges } from "@/lib/billing/write";
import { openStoredCard } from "@/lib/charges/stored-card";
import { inParallel } from "@/lib/concurrency/parallel";
import { asSystem, queryOf, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { makeCall } from "@/lib/rails/calls";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import { businessNow, realNow } from "@/lib/time/clock";
import { moveSales, writeCard } from "@/lib/transactions/move";
import type { Transaction } from "@/prisma/client/client";

/** How many cards one batch charges, and how many at once. */
const BATCH = 100;
const AT_ONCE = 20;

type Waiting = { accountId: string; transactionId: string };

/**
 * Charges a batch of the cards on file that wait to be charged, each once: whoever begins its call takes the row away.
 * What cannot be charged now waits behind the others. Returns whether more may be waiting. With `only`, it charges those
 * of one account.
 */
export async function chargeWaitingCards(only?: string): Promise<boolean> {
  const orderBy = { createdAt: "asc" } as const;
  const where = only ? { accountId: only } : {};
  const waiting = await asSystem((tx) => tx.waitingCharge.findMany({ where, orderBy, take: BATCH }));
  let left = 0;
  await inParallel(waiting, AT_ONCE, async (one) => {
    const isDone = await chargeOne(one).catch((error) => {
      log.error({ ...one, error }, "a card on file was not charged");
      return false;
    });
    if (isDone) return;
    left += 1;
    await moveToEnd(one);
  });
  return waiting.length === BATCH && left < BATCH;
}

const moveToEnd = ({ accountId, transactionId }: Waiting) =>
  asSystem((tx) =>
    tx.waitingCharge.updateMany({ where: { accountId, transactionId }, data: { createdAt: realNow() } }),
  );

/** Charges one card. False where no acquirer is there, or where the account may not sell. */
async function chargeOne({ accountId, transactionId: id }: Waiting): Promise<boolean> {
  const account = await asSystem((tx) =>
    tx.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { mode: true, name: true, status: true, storageFullAt: true, clockOffsetMs: true },
    }),
  );
  const acquirer = acquirerFor(account.mode);
  if (!acquirer || waitsToBill({ ...account, isFull: account.storageFullAt !== null })) return false;
  await makeCall(
    { accountId, id },
    {
      kind: cycleCharge,
      provider: acquirer.provider,
      async begin(tx) {
        const sale = await takeWaiting(tx, accountId, id);
        if (!sale) return undefined;
        const { amount, subscription } = sale;
        const opened = await openStoredCard(tx, accountId, subscription.storedCardId ?? "").catch(notKept);
        if (!opened) return refuse(tx, sale);
        await writeCard(tx, sale, opened);
        const { card, brand } = opened;
        const described = { softDescriptor: account.name, at: businessNow(account) };
        const asked = { id, amount: Number(amount), installments: 1, card, brand, ...described };
        return () => acquirer.charge({ ...asked, onFile: "recurring" });
      },
    },
  );
  return true;
}

/** Nothing where the card is not on file any more, or was kept by a charge that was lost since. */
function notKept(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

/** A card that is not on file any more is refused for good, as its issuer would. */
async function refuse(tx: Tx, { accountId, id, subscriptionId, cycleId }: Transaction): Promise<undefined> {
  const query = queryOf(tx);
  const [held] = await lockSubscriptions(query, [{ accountId, id: subscriptionId ?? "" }]);
  await moveSales(query, "refuse", [{ accountId, id, reason: "card_not_kept" }]);
  const change = held && beginChange(held);
  if (!change?.cycle || change.cycle.id !== cycleId) return;
  failAttempt(change, change.cycle, true);
  runDueTimers(change);
  await writeChanges(query, [change]);
}

/** Takes the row of a sale away and returns the sale; nothing where it was taken before or is no longer to be charged. */
async function takeWaiting(tx: Tx, accountId: string, transactionId: string) {
  const { count } = await tx.waitingCharge.deleteMany({ where: { accountId, transactionId } });
  if (count === 0) return undefined;
  const key = { accountId_id: { accountId, id: transactionId } };
  const sale = await tx.transaction.findUniqueOrThrow({ where: key });
  const subscription = await tx.subscription.findUniqueOrThrow({
    where: { accountId_id: { accountId, id: sale.subscriptionId ?? "" } },
  });
  if (subscription.cycleId === sale.cycleId && subscription.storedCardId) return { ...sale, subscription };
  await moveSales(queryOf(tx), "fail", [{ accountId, id: transactionId }]);
  return undefined;
}
