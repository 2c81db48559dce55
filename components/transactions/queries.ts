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

/** Waits until something is so, as a provider calls back after it has answered; false where it is not within ten seconds. */
export async function isSeen(look: () => Promise<boolean>): Promise<boolean> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    if (await look()) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}

/** Waits until a sale has another status than these (`isSeen`). */
export const hasLeft = (api: ReturnType<typeof apiOf>, id: string, statuses: readonly SaleStatus[]) =>
  isSeen(async () => {
    const { data } = await api.get<{ data: TransactionDetail }>(`/api/dashboard/v1/transactions/${id}`);
    return !statuses.includes(data.transaction.status);
  });

/** What a payment can change: a code that is over can be paid, too. */
export const unpaid = ["pending", "expired"] as const;
