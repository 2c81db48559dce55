import { methods } from "@/lib/methods/methods";
import { decimal } from "@/lib/money";
import { codeOf, type Happened, type RefundRecord } from "@/lib/refunds/record";
import { type Refund, reasonLabels, rejectionLabels } from "@/lib/refunds/schema";
import { refundStatusLabels } from "@/lib/refunds/states";
import { iso, isoOrNull } from "@/lib/time/clock";

const actorTypes: Readonly<Record<string, "partner" | "admin">> = {
  person: "partner",
  credential: "partner",
  staff: "admin",
};

/** A refund in the interface's form. */
export const presentRefund = ({ refund, sale, history }: RefundRecord): Refund => ({
  ...{ code: codeOf(refund), status: refund.status, status_label: refundStatusLabels[refund.status] },
  ...{ amount: decimal(refund.amount), fee: decimal(refund.fee), total: decimal(refund.amount + refund.fee) },
  ...{ reason: refund.reason, reason_label: reasonLabels[refund.reason], reason_details: refund.reasonDetails },
  rejection_category: refund.rejectionCategory,
  rejection_category_label: refund.rejectionCategory && rejectionLabels[refund.rejectionCategory],
  rejection_reason: refund.rejectionReason,
  provider_receipt: refund.providerReceipt as Refund["provider_receipt"],
  executed_at: isoOrNull(refund.executedAt),
  requested_at: iso(refund.createdAt),
  approved_at: isoOrNull(refund.approvedAt),
  rejected_at: isoOrNull(refund.rejectedAt),
  completed_at: isoOrNull(refund.completedAt),
  cancelled_at: isoOrNull(refund.cancelledAt),
  transaction: {
    reference_id: sale.id,
    end_to_end_id: sale.end_to_end_id ?? null,
    ...{ amount: decimal(sale.amount), paid_at: sale.paid_at ? iso(new Date(sale.paid_at)) : null },
    ...{ method: methods[sale.method].v2, fees: decimal(sale.fee), product: { name: sale.checkout?.name ?? null } },
    client: {
      ...{ name: sale.client_name ?? null, email: sale.client_email ?? null },
      ...{ document: sale.client_document ?? null, phone: sale.client_phone ?? null },
    },
  },
  events: history.map((one) => presentEvent(one, refund)),
});

function presentEvent(
  { status, actor, occurred_at }: Happened,
  refund: RefundRecord["refund"],
): Refund["events"][number] {
  return {
    event: status === "pending" ? "created" : status,
    actor_type: actorTypes[actor ?? ""] ?? "system",
    payload: payloadOf({ status, actor }, refund),
    occurred_at: iso(new Date(occurred_at)),
  };
}

function payloadOf(
  { status, actor }: Pick<Happened, "status" | "actor">,
  refund: RefundRecord["refund"],
): Record<string, string> {
  // A seller knows what it wrote itself; of the operator's request it reads the details here too.
  if (status === "pending" && actor === "staff") {
    return { reason: refund.reason, reason_details: refund.reasonDetails ?? "" };
  }
  if (status === "pending") return { reason: refund.reason };
  if (status !== "rejected") return {};
  return { category: refund.rejectionCategory ?? "", reason: refund.rejectionReason ?? "" };
}
