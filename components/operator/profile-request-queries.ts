import { apiOf } from "@/components/api";
import type { ReviewedRequest } from "@/lib/profile-requests/schema";
import type { RefusalBody } from "@/lib/reviews/schema";

export type { ReviewedRequest };

/** The staff's calls name no account. */
const api = apiOf(null);

const pathOf = (account: string, request: string) =>
  `/api/operator/v1/accounts/${account}/requests/${request}` as const;

export const approveRequest = (account: string, request: string) => api.post(`${pathOf(account, request)}/approve`);

export const rejectRequest = (account: string, request: string, body: RefusalBody) =>
  api.post(`${pathOf(account, request)}/reject`, body);
