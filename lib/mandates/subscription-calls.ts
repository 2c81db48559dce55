import { cycleCharge } from "@/lib/billing/card-call";
import { cycleCode } from "@/lib/billing/code-call";
import { cancelDebit, cancelMandate, instructDebit, passDays, retryDebit } from "@/lib/mandates/debit-calls";
import { mandateCall } from "@/lib/mandates/offer-call";

/** The calls that ask the outside about subscriptions: to charge a card, to make a code, to offer a mandate, to debit by it. */
export const subscriptionCalls = [
  cycleCharge,
  cycleCode,
  mandateCall,
  instructDebit,
  retryDebit,
  cancelDebit,
  cancelMandate,
  passDays,
];
