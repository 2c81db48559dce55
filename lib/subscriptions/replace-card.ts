import { type AccountContext, assertActive } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { attachCard } from "@/lib/billing/card";
import { requestCardCharge } from "@/lib/billing/charge";
import { type SubscriptionChange, updateCycle } from "@/lib/billing/subscription-change";
import type { Cycle } from "@/lib/billing/tables";
import { spendToken } from "@/lib/card-tokens/tokenize";
import { admitChange } from "@/lib/charges/begin";
import { storeCard } from "@/lib/charges/stored-card";
import { queryOf, type Tx } from "@/lib/db";
import { locked } from "@/lib/due/find";
import { AppError, invalid } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { consentTo } from "@/lib/subscriptions/enroll-card";
import { performAction } from "@/lib/subscriptions/perform-action";
import { presentChanged } from "@/lib/subscriptions/read";

type Given = {
  card: { token: string };
  /** From where the card was given. */
  device: { ip: string; user_agent: string } | null;
};
type Replacement = Given & {
  id: string;
  /** Whether an anonymous visitor gives the card. */
  byVisitor?: boolean;
};

/**
 * Replaces the card that a subscription is charged on, by a token, and tries at once to charge what is owed. What a visitor
 * gives is judged first by our rules, because whoever has the link could else try one card after the other on it; the try
 * is written also where they refuse it. Throws `subscription_not_found`, `invalid_transition`, `account_suspended`, 422 at
 * `device`, what spending a token throws, and of a visitor `antifraud_refused` and `rate_limit_exceeded`.
 */
export async function replaceCard(account: AccountContext, input: Replacement, intent: Intent) {
  const { id, byVisitor = false } = input;
  let isRefused = false;
  const answer = await performAction(account, id, intent, {
    action: "replace_card",
    async act(change, tx) {
      assertActive(change.account);
      change.byVisitor = byVisitor;
      isRefused = !(await keepCard(change, tx, account, input));
      if (isRefused) return;
      const { cycle, subscription } = change;
      const isDue = subscription.status === "overdue" || subscription.status === "suspended";
      if (cycle?.chargingSaleId) await tryAfter(change, tx, cycle);
      else if (cycle && isDue && !requestCardCharge(change, cycle)) throw new AppError("rail_unavailable");
    },
    present: presentChanged,
  });
  if (isRefused) throw new AppError("antifraud_refused");
  return answer;
}

/**
 * The old card is charged at this moment: where it is refused, the new one is tried at once (`failAttempt`). A charge that
 * is not sent yet will be of the new card. Its call is not waited for, because whoever sends it may wait for this subscription.
 */
async function tryAfter(change: SubscriptionChange, tx: Tx, cycle: Cycle) {
  if (cycle.kind !== "cycle") return;
  const values = [change.account.id, cycle.chargingSaleId];
  const [waits] = await queryOf(tx)("charge_waits", WAITS, values);
  if (!waits) updateCycle(change, cycle, { retryAt: change.now });
}

const WAITS = locked(
  `select true as waits from calls
    where account_id = $1::uuid and id = $2::uuid and sent_at is null and done_at is null`,
);

/**
 * Keeps the new card, without its CVV, under the agreement that the first charge opened, and deletes the old one. False,
 * with the old one kept, where our rules refuse what a visitor gives.
 */
async function keepCard(
  change: SubscriptionChange,
  tx: Tx,
  account: AccountContext,
  { card, device }: Given,
): Promise<boolean> {
  if (!device) throw invalid({ device: ["Informe o dispositivo de onde o cartão foi digitado."] });
  const { subscription, offer } = change;
  const { id: accountId } = account;
  const where = { accountId_id: { accountId, id: subscription.storedCardId ?? "" } };
  const old = await tx.storedCard.findUnique({
    where,
    select: { id: true, transactionId: true, brand: true, last4: true },
  });
  if (!old) throw new AppError("invalid_transition");
  const spent = await spendToken(tx, accountId, card.token);
  if (change.byVisitor && !(await admitChange(tx, account, subscription.id, triedBy(change, device), spent)))
    return false;
  const consent = {
    text: consentTo(account.name, offer.plan.name, Number(offer.terms.amount)),
    ...{ ip: device.ip, user_agent: device.user_agent },
  };
  const kept = await storeCard(tx, account, spent, old.transactionId, subscription.document, consent);
  await tx.storedCard.delete({ where });
  await recordChange(tx, {
    ...{ accountId, subject: "stored_card", id: kept.id, verb: "updated", at: change.now },
    ...{ before: shownCard(old, subscription), after: shownCard(kept, subscription) },
  });
  attachCard(change, kept);
  return true;
}

type Shown = { id: string; brand: string; last4: string };

/** What people see of a card, and what is charged on it; its id tells one that is given again from the one before. */
const shownCard = ({ id, brand, last4 }: Shown, subscription: { id: string }) => ({
  ...{ id, brand, last4 },
  subscription_token: subscription.id,
});

/** What our rules ask: the card is for what is owed, or for what the next cycle will be. */
function triedBy({ cycle, offer, subscription }: SubscriptionChange, device: NonNullable<Given["device"]>) {
  const { email, document } = subscription;
  const type = document.length === 11 ? ("cpf" as const) : ("cnpj" as const);
  const amount = Number(cycle?.amount ?? offer.terms.amount);
  return { amount, device, client: { email, document: { type, number: document } } };
}
