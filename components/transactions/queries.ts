import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { TransactionDetail, TransactionListItem } from "@/lib/transactions/schema";

export type SaleRow = TransactionListItem;
export type SaleStatus = TransactionListItem["status"];
export type { TransactionDetail };

export const detailQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [account, "transactions", "detail", id],
    queryFn: ({ signal }) =>
      apiOf(account).get<{ data: TransactionDetail }>(`/api/dashboard/v1/transactions/${id}`, {}, signal),
  });

const LOOK_EVERY_MS = 250;
const LOOKS = 40;

/**
 * Waits until a sale has another status than these, as the PSP calls back after it has answered; false where it has not
 * within ten seconds.
 */
export async function hasLeft(api: ReturnType<typeof apiOf>, id: string, statuses: readonly SaleStatus[]) {
  for (let look = 0; look < LOOKS; look += 1) {
    const { data } = await api.get<{ data: TransactionDetail }>(`/api/dashboard/v1/transactions/${id}`);
    if (!statuses.includes(data.transaction.status)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}

/** What a payment can change: a code that is over can be paid, too. */
export const unpaid = ["pending", "expired"] as const;
