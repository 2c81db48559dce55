import { z } from "zod";
import { defineSubject, exampleId, exampleTimes, type Message } from "@/lib/events/subject";
import { decimal, reais } from "@/lib/money";
import { iso } from "@/lib/time/clock";
import { time } from "@/lib/time/schema";
import { ownerNameOf, type WithdrawalRecord, withdrawalOf } from "@/lib/withdrawals/record";
import { withdrawalStatusV1 } from "@/lib/withdrawals/states";
import type { Event } from "@/prisma/client/client";
import { PixKeyType, type WithdrawalStatus } from "@/prisma/client/enums";

/** Whether the change ended it, or ended it otherwise than before: what of it came back in part changes no status. */
const isEnded = ({ withdrawal: { status } }: WithdrawalRecord, data: Event["data"]) => {
  const { previous_status } = data as { previous_status: WithdrawalStatus };
  return withdrawalStatusV1[status] !== withdrawalStatusV1[previous_status];
};

/** A made-up withdrawal. */
const requested = {
  ...{ id: exampleId(4), account_id: exampleId(0), mode: "sandbox", status: "requested", amount: 50_000, fee: 350 },
  ...{ returned_amount: 0, pix_key_type: "EMAIL", pix_key: "ana@example.com", document: "52998224725" },
  ...{ owner_name: "Ana Souza", ...exampleTimes },
};

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
  examples: [
    { type: "withdrawal.created", data: { status: "requested", previous_status: null }, record: requested },
    {
      ...{ type: "withdrawal.updated", data: { status: "paid", previous_status: "sending" } },
      record: { ...requested, status: "paid", end_to_end_id: "E00000000202601151200abcdefghijk" },
    },
  ],
  productOf: () => null,
  aboutOf: ({ withdrawal }: WithdrawalRecord) => ({
    name: ownerNameOf(withdrawal),
    amount: decimal(withdrawal.amount),
    records: [{ subject: "withdrawal", id: withdrawal.id }],
  }),
  bodies: { cash: { make: cashBody, schema: () => z.object({ data: CashOut }) } },
});

/** The body in the cash contract. The fee is charged beside the amount, so that what arrives at the key is the amount. */
function cashBody(_: Message, { withdrawal }: WithdrawalRecord) {
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

const CashOut = z.object({
  id: z.uuid(),
  pix_type: z.enum(PixKeyType),
  pix_key: z.string(),
  amount: z.number().meta({ description: "Reais" }),
  final_amount: z.number().meta({ description: "Reais, what arrives at the key" }),
  currency: z.literal("BRL"),
  status: z.enum([...new Set(Object.values(withdrawalStatusV1))]),
  payment_method: z.literal("PIX"),
  created_at: time,
  updated_at: time,
  end_to_end: z.string().optional().meta({ description: "Once it is paid" }),
});
