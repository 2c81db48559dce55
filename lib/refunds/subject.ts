import type { Actor } from "@/lib/actor";
import { defineSubject, envelopeOf, type Message } from "@/lib/events/subject";
import { decimal } from "@/lib/money";
import { presentRefund } from "@/lib/refunds/present";
import { codeOf, type Happened, type RefundRecord, refundOf } from "@/lib/refunds/record";

const sentAs = (name: string) => ({
  subscriptions: [{ registrations: ["refund" as const], contract: "event" as const, name }],
});

/** Events about refunds. The body is the record as it was then, the event itself included. */
export const refund = defineSubject({
  read: refundOf,
  events: { "refund.created": sentAs("refund.created"), "refund.updated": sentAs("refund.updated") },
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
    event: (message: Message, record: RefundRecord) => ({
      ...envelopeOf(message),
      refund: presentRefund({ ...record, history: [...record.history, happenedOf(message)] }),
    }),
  },
});

/** What the event itself adds to the history of its record, which was written before it. */
const happenedOf = ({ data, actor, occurredAt }: Message): Happened => ({
  status: (data as { status: string }).status,
  actor: (actor as Actor | null)?.kind ?? null,
  occurred_at: occurredAt.toISOString(),
});
