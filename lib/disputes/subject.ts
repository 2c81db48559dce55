import { presentDispute } from "@/lib/disputes/present";
import { codeOf, type DisputeRecord, disputeOf } from "@/lib/disputes/record";
import { defineSubject, envelopeOf, type Message } from "@/lib/events/subject";
import { decimal } from "@/lib/money";

const sentAs = (name: string) => ({
  subscriptions: [{ registrations: ["infraction" as const], contract: "event" as const, name }],
});

/** Events about disputes. The body is the record as it was then. */
export const dispute = defineSubject({
  read: disputeOf,
  events: { "dispute.created": sentAs("infraction.created"), "dispute.updated": sentAs("infraction.updated") },
  productOf: ({ sale }) => sale.product_id ?? null,
  aboutOf: ({ dispute, sale }: DisputeRecord) => ({
    name: sale.client_name ?? null,
    amount: decimal(dispute.amount),
    records: [
      { subject: "dispute", id: codeOf(dispute) },
      { subject: "transaction", id: sale.id },
    ],
  }),
  bodies: {
    event: (message: Message, record: DisputeRecord) => {
      const { code, status, reason, amount, deadline, transaction } = presentDispute(record);
      const { reference_id, end_to_end_id } = transaction;
      return {
        ...envelopeOf(message),
        infraction: { code, status, reason, amount, deadline, reference_id, end_to_end_id },
      };
    },
  },
});
