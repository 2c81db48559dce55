import type { Actor } from "@/lib/actor";
import { envelopeNamed, envelopeOf } from "@/lib/events/envelope";
import { defineSubject, exampleId, exampleTimes, type Message } from "@/lib/events/subject";
import { decimal } from "@/lib/money";
import { presentRefund } from "@/lib/refunds/present";
import { codeOf, type Happened, type RefundRecord, refundOf } from "@/lib/refunds/record";
import { Refund } from "@/lib/refunds/schema";
import { exampleSale } from "@/lib/transactions/examples";

const sentAs = (name: string) => ({
  subscriptions: [{ registrations: ["refund" as const], contract: "event" as const, name }],
});

/** A made-up refund. */
const asked = {
  ...{ id: exampleId(2), account_id: exampleId(0), mode: "sandbox", transaction_id: exampleSale.id, status: "pending" },
  ...{ amount: 4_000, fee: 0, pending_amount: 0, held_shares: 0, reason: "product_not_delivered", sale: exampleSale },
  ...{ history: [], ...exampleTimes },
};

/** Events about refunds. The body is the record as it was then, the event itself included. */
export const refund = defineSubject({
  read: refundOf,
  events: { "refund.created": sentAs("refund.created"), "refund.updated": sentAs("refund.updated") },
  examples: [
    { type: "refund.created", data: { status: "pending", previous_status: null }, record: asked },
    {
      ...{ type: "refund.updated", data: { status: "completed", previous_status: "processing" } },
      record: { ...asked, status: "completed" },
    },
  ],
  productOf: ({ sale }) => sale.product_id ?? null,
  aboutOf: ({ refund, sale }: RefundRecord) => ({
    name: sale.client_name ?? null,
    amount: decimal(refund.amount),
    records: [
      { subject: "refund", id: codeOf(refund) },
      { subject: "transaction", id: sale.id },
    ],
  }),
  bodies: {
    event: {
      make: (message: Message, record: RefundRecord) => ({
        ...envelopeOf(message),
        refund: presentRefund({ ...record, history: [...record.history, happenedOf(message)] }),
      }),
      schema: (name) => envelopeNamed(name).extend({ refund: Refund }),
    },
  },
});

/** What the event itself adds to the history of its record, which was written before it. */
const happenedOf = ({ data, actor, occurredAt }: Message): Happened => ({
  status: (data as { status: string }).status,
  actor: (actor as Actor | null)?.kind ?? null,
  occurred_at: occurredAt.toISOString(),
});
