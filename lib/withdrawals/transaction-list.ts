import type { AccountContext } from "@/lib/accounts/context";
import { methods } from "@/lib/methods/methods";
import { reais } from "@/lib/money";
import { iso, isoOrNull } from "@/lib/time/clock";
import { listTransactions } from "@/lib/transactions/list";
import type { TransactionListItem, TransactionPage, TransactionQuery } from "@/lib/transactions/schema";
import { listRecords } from "@/lib/withdrawals/read";
import { ownerNameOf, type WithdrawalRecord } from "@/lib/withdrawals/record";
import { withdrawalStatusV1 } from "@/lib/withdrawals/states";
import { WithdrawalStatus } from "@/prisma/client/enums";

/**
 * The list of transactions: sales or, by `type=cash_out`, withdrawals in the same form, whose statuses are V1's words. Of those only
 * status and period are filters: what a sale belongs to or is paid with leaves none. Throws 422 for a page too far from the start.
 */
export async function listAnyTransactions(account: AccountContext, query: TransactionQuery): Promise<TransactionPage> {
  const { type, status, method, search, plan, subscription, payment_link, customer } = query;
  if (type !== "cash_out") return listTransactions(account, query);
  const statuses = Object.values(WithdrawalStatus).filter((one) => !status || withdrawalStatusV1[one] === status);
  const isOfSale = [search, plan, subscription, payment_link, customer].some((one) => one !== undefined);
  if (isOfSale || statuses.length === 0 || (method && methods[method].cash === null))
    return listTransactions(account, query);
  const { records, meta } = await listRecords(account.id, { ...query, statuses: status ? statuses : [] });
  return { data: records.map(present), meta: { ...meta, counts: { all: meta.total } } };
}

const present = ({ withdrawal }: WithdrawalRecord): TransactionListItem => ({
  ...{ reference_id: withdrawal.id, type: "cash_out", method: "pix", status: withdrawalStatusV1[withdrawal.status] },
  ...{ amount: reais(withdrawal.amount), net_amount: reais(withdrawal.amount), description: withdrawal.description },
  customer: { name: ownerNameOf(withdrawal), email: null, document: withdrawal.document },
  ...{ card: null, refused_reason: withdrawal.failureReason },
  ...{ created_at: iso(withdrawal.createdAt), paid_at: isoOrNull(withdrawal.paidAt) },
});
