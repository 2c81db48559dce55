import { cycleCharge } from "@/lib/billing/card-call";
import { mandateCall } from "@/lib/mandates/call";
import { cancelDebit, cancelMandate, instructDebit, passDays, retryDebit } from "@/lib/mandates/debit-calls";

/** The calls that ask the outside about subscriptions: to charge a card, to offer a mandate, to debit by it. */
export const subscriptionCalls = [
  cycleCharge,
  mandateCall,
  instructDebit,
  retryDebit,
  cancelDebit,
  cancelMandate,
  passDays,
];
