import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { GiveUpBody, Payouts, PlaceOfStop, StaffWithdrawal, StopBodySent } from "@/lib/withdrawals/schema";

/** The staff's calls name no account. */
const api = apiOf(null);

/** The key of all queries about withdrawals. */
export const WITHDRAWALS = [null, "withdrawals"];

const pathOf = (account: string, id: string) => `/api/operator/v1/accounts/${account}/withdrawals/${id}` as const;

export const staffWithdrawalQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: [...WITHDRAWALS, "detail", account, id],
    queryFn: ({ signal }) => api.get<{ data: StaffWithdrawal }>(pathOf(account, id), {}, signal),
  });

export const giveUp = ({ account, withdrawal }: StaffWithdrawal, body: GiveUpBody) =>
  api.post(`${pathOf(account.id, withdrawal.reference_id)}/give-up`, body);

/** The key of where payouts are stopped. */
export const PAYOUTS = [null, "payouts"];

export const payoutsQuery = queryOptions({
  queryKey: PAYOUTS,
  queryFn: ({ signal }) => api.get<{ data: Payouts }>("/api/operator/v1/payouts", {}, signal),
});

const STOPS = "/api/operator/v1/payout-stops";
export const stopPayouts = (body: StopBodySent) => api.post(STOPS, body);
export const liftStop = (place: PlaceOfStop) => api.delete(STOPS, place);
