import { merchantOf } from "@/lib/accounts/context";
import { dayOf, dueDayOf } from "@/lib/billing/calendar";
import { lockSubscriptionOf } from "@/lib/billing/lock";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import { askOutside, beginChange } from "@/lib/billing/subscription-change";
import { cancelNow, moveMandate } from "@/lib/billing/transitions";
import { writeChanges } from "@/lib/billing/write";
import { type Query, transactionFor } from "@/lib/db";
import { digitsOf } from "@/lib/ids";
import { periodOf } from "@/lib/methods/periods";
import type { CallKey, CallKind } from "@/lib/outside/calls";
import { watch } from "@/lib/outside/watch";
import type { AutomaticPix, MandateOffer, Offered, Refused } from "@/lib/rails/pix/automatic";
import { railNamed } from "@/lib/rails/pix/rails";
import { realNow } from "@/lib/time/clock";
import { moveSales, writePixCodes } from "@/lib/transactions/move";
import { readSale, type Sale } from "@/lib/transactions/sale";

/** How long after an offer its mandate is first asked about without a callback. */
const WATCH_AFTER_MS = 10 * 60_000;

/** Pix Automático of a rail that is named in a call. */
export function automaticOf(provider: string): AutomaticPix {
  const rail = railNamed(provider)?.automatic;
  if (!rail) throw new Error(`No rail with Pix Automático is named ${provider}`);
  return rail;
}

type Offering = Pick<LoadedSubscription, "subscription" | "offer" | "account" | "now">;

/** What a rail is offered: the first charge and the permission to debit the later ones, by one code. */
export function offerOf(
  { subscription, offer, account, now }: Offering,
  sale: Pick<Sale, "id" | "amount" | "expiresAt">,
): MandateOffer {
  const { plan } = offer;
  const { periodicityDays } = offer.terms;
  const period = periodOf(periodicityDays)?.name;
  if (!period) throw new Error(`Pix Automático has no period of ${periodicityDays} days`);
  // The earliest day on which the second cycle can be due: that of a first one that is paid today.
  const anchor = dayOf(now, account.timeZone);
  const firstDate = dueDayOf({ anchor, anchorCycle: 1, periodicityDays, inMonths: true }, 2);
  const validMs = (sale.expiresAt?.getTime() ?? now.getTime()) - now.getTime();
  return {
    ...{ contract: digitsOf(subscription.id), period, amount: null, description: plan.name },
    firstDate,
    debtor: { name: subscription.name, document: subscription.document },
    ...{ ...merchantOf(account), at: now },
    first: { txid: digitsOf(sale.id), amount: Number(sale.amount), validMs },
  };
}

/** The call that offers a mandate with the first charge. Our id of the call is that charge's sale's id. */
export const mandateCall = {
  name: "mandate",

  async find({ accountId, id, provider }) {
    const loaded = await transactionFor(accountId, (query) => lockBySale(query, { accountId, id }));
    const { contract, debtor, at } = offerOf(loaded, { id, amount: 0n, expiresAt: loaded.now });
    return automaticOf(provider).findMandate({ contract, debtor, at });
  },

  /** Writes the code and the rail's id of the mandate, or ends the subscription that nobody could pay without a code. */
  async write(query, call, answer) {
    const loaded = await lockBySale(query, call);
    const change = beginChange(loaded);
    const { mandate } = change;
    if (answer.status !== "offered" || !mandate) {
      const [failed] = await moveSales(query, "fail", [call]);
      moveMandate(change, { status: "rejected", cancelledBy: null, reason: null });
      const { status } = change.subscription;
      if (status === "pending_first_payment" && change.cycle?.codeSaleId === call.id) cancelNow(change);
      await writeChanges(query, [change]);
      return failed?.sale;
    }
    mandate.providerId = answer.mandateId;
    // Who cancelled while the rail was asked had no mandate to cancel yet.
    if (change.subscription.status === "cancelled") {
      askOutside(change, { kind: "cancel_mandate", provider: mandate.provider, input: { mandateId: mandate.id } });
    }
    await writeChanges(query, [change]);
    const askAt = new Date(realNow().getTime() + WATCH_AFTER_MS);
    await watch(query, "mandate", mandate.provider, [answer.mandateId], askAt);
    const [coded] = await writePixCodes(query, [{ ...call, pixCode: answer.code }]);
    return coded?.sale;
  },
} satisfies CallKind<Offered | Refused, Sale>;

const lockBySale = async (query: Query, call: CallKey) => lockSubscriptionOf(query, await readSale(query, call));
