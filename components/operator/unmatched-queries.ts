import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type {
  CreditBody,
  MatchBody,
  ReturnBody,
  TransferBody,
  Unmatched,
  UnmatchedDetail,
} from "@/lib/unmatched/schema";

export type { UnmatchedDetail };

/** The staff's calls name no account. */
const api = apiOf(null);

/** The key of all queries about unmatched money. */
export const UNMATCHED = [null, "unmatched"];

export const unmatchedQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [...UNMATCHED, "detail", account, id],
    queryFn: ({ signal }) =>
      api.get<{ data: UnmatchedDetail }>(`/api/operator/v1/accounts/${account}/unmatched/${id}`, {}, signal),
  });

type Money = Pick<Unmatched, "kept_with" | "id">;

export const matchMoney = ({ kept_with, id }: Money, body: MatchBody) =>
  api.post(`/api/operator/v1/accounts/${kept_with}/unmatched/${id}/match`, body);

export const creditMoney = ({ kept_with, id }: Money, body: CreditBody) =>
  api.post(`/api/operator/v1/accounts/${kept_with}/unmatched/${id}/credit`, body);

export const returnMoney = ({ kept_with, id }: Money, body: ReturnBody) =>
  api.post(`/api/operator/v1/accounts/${kept_with}/unmatched/${id}/return`, body);

export const transferMoney = ({ kept_with, id }: Money, body: TransferBody) =>
  api.post(`/api/operator/v1/accounts/${kept_with}/unmatched/${id}/transfer`, body);
