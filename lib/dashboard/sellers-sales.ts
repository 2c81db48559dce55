import type { AccountContext } from "@/lib/accounts/context";
import { requireContext } from "@/lib/accounts/read";
import { recordLook } from "@/lib/dashboard/record-look";
import type { SellersSale, SellersSales, SellersSalesQuery } from "@/lib/dashboard/schema";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { listRefunds } from "@/lib/refunds/read";
import { RefundQuery } from "@/lib/refunds/schema";
import { listTransactions } from "@/lib/transactions/list";

type Asked = { userId: string; accountId: string };

/**
 * A seller's sales for a person of the operator's staff, as the seller's own list has them. The account's history says that they
 * looked. Throws `account_not_found`.
 */
export async function listSellersSales(asked: Asked, query: SellersSalesQuery): Promise<SellersSales> {
  const account = await requireContext(asked.accountId);
  await recordLook(asked);
  const { data, meta } = await listTransactions(account, query);
  return { data, meta: { ...meta, account: named(account) } };
}

/** How many refunds of a sale are shown, the newest. */
const SHOWN = 5;

/** One of them, likewise. Throws `account_not_found`, and `transaction_not_found` also for another account's. */
export async function readSellersSale(asked: Asked, id: string): Promise<{ data: SellersSale }> {
  const { accountId } = asked;
  const account = await requireContext(accountId);
  await recordLook(asked);
  const sale = await readTransactionDetail(account, id);
  const refunds = await listRefunds(accountId, RefundQuery.parse({ reference_id: id, per_page: SHOWN }));
  return { data: { account: named(account), sale, refunds: refunds.data } };
}

const named = ({ id, name, mode }: AccountContext) => ({ id, name, mode });
