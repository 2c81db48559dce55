import { z } from "zod";
import { presentDispute } from "@/lib/disputes/present";
import { codeOf, type DisputeRecord, disputeOf } from "@/lib/disputes/record";
import { Dispute } from "@/lib/disputes/schema";
import { envelopeNamed, envelopeOf } from "@/lib/events/envelope";
import { defineSubject, exampleId, exampleTimes, type Message } from "@/lib/events/subject";
import { decimal } from "@/lib/money";
import { exampleSale } from "@/lib/transactions/examples";

const sentAs = (name: string) => ({
  subscriptions: [{ registrations: ["infraction" as const], contract: "event" as const, name }],
});

/** A made-up dispute. */
const opened = {
  ...{ id: exampleId(3), account_id: exampleId(0), mode: "sandbox", transaction_id: exampleSale.id, method: "pix" },
  ...{ status: "open", reason: "fraud", amount: exampleSale.amount, fee: 0, held_shares: 0, lost_amount: 0 },
  ...{ blocked_amount: exampleSale.amount, pending_amount: 0, deadline: "2026-01-22T12:00:00Z" },
  ...{ sale: exampleSale, history: [], ...exampleTimes },
};

/** Events about disputes. The body is the record as it was then. */
export const dispute = defineSubject({
  read: disputeOf,
  events: { "dispute.created": sentAs("infraction.created"), "dispute.updated": sentAs("infraction.updated") },
  examples: [
    { type: "dispute.created", data: { status: "open", previous_status: null }, record: opened },
    { type: "dispute.updated", data: { status: "won", previous_status: "open" }, record: { ...opened, status: "won" } },
  ],
  productOf: ({ sale }) => sale.product_id ?? null,
  aboutOf: ({ dispute, sale }: DisputeRecord) => ({
    name: sale.client_name ?? null,
    amount: decimal(dispute.amount),
    records: [
      { subject: "dispute", id: codeOf(dispute) },
      { subject: "transaction", id: sale.id },
    ],
  }),
  bodies: { event: { make: bodyOf, schema: bodyNamed } },
});

function bodyOf(message: Message, record: DisputeRecord) {
  const { code, status, reason, amount, deadline, transaction } = presentDispute(record);
  const { reference_id, end_to_end_id } = transaction;
  return {
    ...envelopeOf(message),
    infraction: { code, status, reason, amount, deadline, reference_id, end_to_end_id },
  };
}

function bodyNamed(name: string) {
  const { transaction, ...dispute } = Dispute.shape;
  const { code, status, reason, amount, deadline } = dispute;
  const { reference_id, end_to_end_id } = transaction.shape;
  const infraction = z.object({ code, status, reason, amount, deadline, reference_id, end_to_end_id });
  return envelopeNamed(name).extend({ infraction });
}
