import type { AccountContext } from "@/lib/accounts/context";
import { requireContext } from "@/lib/accounts/read";
import type { SellersSale, SellersSales, SellersSalesQuery } from "@/lib/dashboard/schema";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { listRefunds } from "@/lib/refunds/read";
import { RefundQuery } from "@/lib/refunds/schema";
import { listTransactions } from "@/lib/transactions/list";

/** A seller's sales for the operator's staff, as the seller's own list has them. Throws `account_not_found`. */
export async function listSellersSales(id: string, query: SellersSalesQuery): Promise<SellersSales> {
  const account = await requireContext(id);
  const { data, meta } = await listTransactions(account, query);
  return { data, meta: { ...meta, account: named(account) } };
}

/** How many refunds of a sale are shown, the newest. */
const SHOWN = 5;

/** One of them. Throws `account_not_found`, and `transaction_not_found` also for another account's. */
export async function readSellersSale(accountId: string, id: string): Promise<{ data: SellersSale }> {
  const account = await requireContext(accountId);
  const sale = await readTransactionDetail(account, id);
  const refunds = await listRefunds(accountId, RefundQuery.parse({ reference_id: id, per_page: SHOWN }));
  return { data: { account: named(account), sale, refunds: refunds.data } };
}

const named = ({ id, name, mode }: AccountContext) => ({ id, name, mode });
