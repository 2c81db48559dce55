import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { DisputeDetail, DisputeReview } from "@/lib/disputes/schema";

export const disputeQuery = (account: string, code: string) =>
  queryOptions({
    queryKey: [account, "disputes", "detail", code],
    queryFn: ({ signal }) =>
      apiOf(account).get<{ data: DisputeDetail }>(`/api/partner/v1/disputes/${code}`, {}, signal),
  });

type ReviewDetail = { data: Omit<DisputeReview, "dispute"> & { dispute: DisputeDetail } };

/** A dispute of any seller, for the staff, whose calls name no account. */
export const reviewedDisputeQuery = (account: string, code: string) =>
  queryOptions({
    queryKey: [null, "disputes", "detail", account, code],
    queryFn: ({ signal }) =>
      apiOf(null).get<ReviewDetail>(`/api/operator/v1/accounts/${account}/disputes/${code}`, {}, signal),
  });
