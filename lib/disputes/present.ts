import { codeOf, type DisputeRecord } from "@/lib/disputes/record";
import { type Dispute, disputeReasonLabels } from "@/lib/disputes/schema";
import { disputeStatusLabels } from "@/lib/disputes/states";
import { methods } from "@/lib/methods/methods";
import { decimal } from "@/lib/money";
import { iso, isoOrNull } from "@/lib/time/clock";

const actorTypes: Readonly<Record<string, "partner" | "admin">> = {
  person: "partner",
  credential: "partner",
  staff: "admin",
};

/** A dispute in the interface's form. */
export const presentDispute = ({ dispute, sale, history }: DisputeRecord): Dispute => ({
  ...{ code: codeOf(dispute), status: dispute.status, status_label: disputeStatusLabels[dispute.status] },
  ...{
    kind: methods[dispute.method].dispute.kind,
    reason: dispute.reason,
    reason_label: disputeReasonLabels[dispute.reason],
  },
  ...{ amount: decimal(dispute.amount), blocked_amount: decimal(dispute.blockedAmount) },
  ...{ lost_amount: decimal(dispute.lostAmount), fee: decimal(dispute.fee) },
  ...{ deadline: iso(dispute.deadline), opened_at: iso(dispute.createdAt), ended_at: isoOrNull(dispute.endedAt) },
  ...{ defence: dispute.defence, defended_at: isoOrNull(dispute.defendedAt) },
  allowed_actions: dispute.status === "open" && !dispute.defendedAt ? ["defend"] : [],
  transaction: {
    reference_id: sale.id,
    end_to_end_id: sale.end_to_end_id ?? null,
    ...{ amount: decimal(sale.amount), paid_at: sale.paid_at ? iso(new Date(sale.paid_at)) : null },
    ...{ method: methods[sale.method].v2, product: { name: sale.checkout?.name ?? null } },
    client: {
      ...{ name: sale.client_name ?? null, email: sale.client_email ?? null, document: sale.client_document ?? null },
    },
  },
  events: history.map(({ status, actor, occurred_at }, at) => ({
    event: at === 0 ? "created" : status === "open" ? ofDefence(actor) : status, // a defence leaves it open
    actor_type: actorTypes[actor ?? ""] ?? "system",
    occurred_at: iso(new Date(occurred_at)),
  })),
});

/** Its provider refuses what its seller has sent. */
const ofDefence = (actor: string | null) => (actor === "rail" ? "defence_refused" : "defended");
