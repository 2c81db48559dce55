import type { z } from "zod";
import { reais } from "@/lib/money";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { TransactionV1 } from "@/lib/transactions/schema";
import { ownerNameOf, type WithdrawalRecord } from "@/lib/withdrawals/record";
import type { Withdrawal } from "@/lib/withdrawals/schema";
import { actionsOn, withdrawalStatusLabels, withdrawalStatusV1 } from "@/lib/withdrawals/states";

/** A withdrawal in the interface's form. */
export const presentWithdrawal = ({ withdrawal, returns }: WithdrawalRecord): Withdrawal => ({
  ...{
    reference_id: withdrawal.id,
    status: withdrawal.status,
    status_label: withdrawalStatusLabels[withdrawal.status],
  },
  ...{ amount: reais(withdrawal.amount), fee: reais(withdrawal.fee), total: reais(withdrawal.amount + withdrawal.fee) },
  ...{ returned_amount: reais(withdrawal.returnedAmount), currency: "BRL" },
  ...{ description: withdrawal.description, external_id: withdrawal.externalId },
  ...{ pix_key_type: withdrawal.pixKeyType, pix_key: withdrawal.pixKey },
  ...{ document: withdrawal.document, owner_name: ownerNameOf(withdrawal) },
  ...{ end_to_end_id: withdrawal.endToEndId, failure_reason: withdrawal.failureReason },
  ...{ created_at: iso(withdrawal.createdAt), lapses_at: isoOrNull(withdrawal.lapsesAt) },
  ...{ approved_at: isoOrNull(withdrawal.approvedAt), sent_at: isoOrNull(withdrawal.sentAt) },
  ...{ accepted_at: isoOrNull(withdrawal.acceptedAt), paid_at: isoOrNull(withdrawal.paidAt) },
  ...{ failed_at: isoOrNull(withdrawal.failedAt), cancelled_at: isoOrNull(withdrawal.cancelledAt) },
  returned_at: isoOrNull(withdrawal.returnedAt),
  returns: returns.map(({ amount, return_id, reason, created_at }) => ({
    ...{ return_id, amount: reais(amount), reason: reason ?? null, created_at: iso(new Date(created_at)) },
  })),
  allowed_actions: actionsOn(withdrawal.status),
});

/** V1 of a withdrawal, which has no code. */
export const presentWithdrawalV1 = ({ withdrawal }: WithdrawalRecord): z.output<typeof TransactionV1> => ({
  ...{ reference_id: withdrawal.id, currency: "BRL", amount: reais(withdrawal.amount) },
  ...{ transaction_date: iso(withdrawal.createdAt), status: withdrawalStatusV1[withdrawal.status] },
  ...{ description: withdrawal.description, pix_code: null, paid_at: isoOrNull(withdrawal.paidAt) },
});
