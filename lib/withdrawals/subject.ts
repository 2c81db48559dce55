import { defineSubject, type Message } from "@/lib/events/subject";
import { decimal, reais } from "@/lib/money";
import { iso } from "@/lib/time/clock";
import { type WithdrawalRecord, withdrawalOf } from "@/lib/withdrawals/record";
import { withdrawalStatusV1 } from "@/lib/withdrawals/states";

const isEnded = ({ withdrawal: { status } }: WithdrawalRecord) => withdrawalStatusV1[status] !== "pending";

/**
 * Events about withdrawals. The cash contract knows three statuses, so it gets no event of what happens to a withdrawal while
 * that is pending.
 */
export const withdrawal = defineSubject({
  read: withdrawalOf,
  events: {
    "withdrawal.created": {
      subscriptions: [{ registrations: ["cashout", "all"], contract: "cash", name: "cashout.create" }],
    },
    "withdrawal.updated": {
      subscriptions: [{ registrations: ["cashout", "all"], contract: "cash", name: "cashout.update", when: isEnded }],
    },
  },
  productOf: () => null,
  aboutOf: ({ withdrawal: { id, ownerName, amount } }: WithdrawalRecord) => ({
    name: ownerName,
    amount: decimal(amount),
    records: [{ subject: "withdrawal", id }],
  }),
  bodies: { cash: cashBody },
});

/** The body in the cash contract. The fee is charged beside the amount, so that what arrives at the key is the amount. */
function cashBody(_: Message, { withdrawal }: WithdrawalRecord): object {
  return {
    data: {
      id: withdrawal.id,
      ...{ pix_type: withdrawal.pixKeyType, pix_key: withdrawal.pixKey },
      ...{ amount: reais(withdrawal.amount), final_amount: reais(withdrawal.amount), currency: "BRL" },
      ...{ status: withdrawalStatusV1[withdrawal.status], payment_method: "PIX" },
      ...{ created_at: iso(withdrawal.createdAt), updated_at: iso(withdrawal.updatedAt) },
      ...(withdrawal.endToEndId && { end_to_end: withdrawal.endToEndId }),
    },
  };
}
