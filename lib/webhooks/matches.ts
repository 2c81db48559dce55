import type { EventType } from "@/lib/events/emit";
import type { WebhookEvent } from "@/lib/webhooks/schema";
import type { DeliveryContract, TransactionMethod } from "@/prisma/client/enums";

/** What a registration hears of an event: in which contract, and the event's name on the wire. */
export type Hearing = { contract: DeliveryContract; event: string };

type Hears = { contract: DeliveryContract; of: readonly TransactionMethod[]; names: Record<EventType, string> };

const cashIn: Hears = {
  contract: "cash",
  of: ["pix"],
  names: { "transaction.created": "cashin.create", "transaction.updated": "cashin.update" },
};

/**
 * Which registration hears what (operations.md section 7). `all` is the whole cash contract; `transaction` is Pix and
 * card sales, `card` the card sales alone under their own name. A withdrawal is no sale.
 * Registrations that are not here are accepted and hear nothing until their nouns exist.
 */
const table: Partial<Record<WebhookEvent, readonly Hears[]>> = {
  cashin: [cashIn],
  all: [cashIn],
  transaction: [
    {
      contract: "event",
      of: ["pix", "card"],
      names: { "transaction.created": "transaction.created", "transaction.updated": "transaction.updated" },
    },
  ],
  card: [
    {
      contract: "event",
      of: ["card"],
      names: { "transaction.created": "card.created", "transaction.updated": "card.updated" },
    },
  ],
};

/** What a webhook registered for `registration` is sent when `type` happens to a transaction of this kind. */
export function hearingOf(registration: string, type: EventType, of: TransactionMethod): Hearing | undefined {
  const hears = table[registration as WebhookEvent]?.find((entry) => entry.of.includes(of));
  return hears && { contract: hears.contract, event: hears.names[type] };
}

/** The registrations that hear of `type`, for the query that looks for them. */
export const registrationsFor = (type: EventType, of: TransactionMethod) =>
  Object.keys(table).filter((registration) => hearingOf(registration, type, of));

/**
 * What a charge's own callback (`webhook_url`, `postbackUrl`) hears: the legacy postback, of changes only, because its
 * body has no way to say that a charge was merely made.
 */
export const callbackHearingOf = (type: EventType): Hearing | undefined =>
  type === "transaction.updated" ? { contract: "legacy", event: type } : undefined;
