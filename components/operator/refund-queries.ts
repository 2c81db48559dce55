import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { RejectBody, Review } from "@/lib/refunds/schema";

export type { Review };

/** The staff's calls name no account. */
const api = apiOf(null);

/** The key of all queries about refunds to review. */
export const REVIEWS = [null, "refunds"];

export const reviewQuery = (account: string, code: string) =>
  queryOptions({
    queryKey: [...REVIEWS, "detail", account, code],
    queryFn: ({ signal }) =>
      api.get<{ data: Review }>(`/api/operator/v1/accounts/${account}/refunds/${code}`, {}, signal),
  });

export const rejectRefund = ({ account, refund }: Review, body: RejectBody) =>
  api.post(`/api/operator/v1/accounts/${account.id}/refunds/${refund.code}/reject`, body);

export const approveRefund = ({ account, refund }: Review) =>
  api.post(`/api/operator/v1/accounts/${account.id}/refunds/${refund.code}/approve`);
