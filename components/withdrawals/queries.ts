import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { WithdrawalDetail, WithdrawalTerms } from "@/lib/withdrawals/schema";

export const withdrawalQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [account, "withdrawals", "detail", id],
    queryFn: ({ signal }) =>
      apiOf(account).get<{ data: WithdrawalDetail }>(`/api/dashboard/v1/withdrawals/${id}`, {}, signal),
  });

/** What can be withdrawn now. It is read again with every form, because others withdraw too. */
export const termsQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "withdrawals", "terms"],
    queryFn: ({ signal }) =>
      apiOf(account).get<{ data: WithdrawalTerms }>("/api/dashboard/v1/withdrawals/terms", {}, signal),
  });
