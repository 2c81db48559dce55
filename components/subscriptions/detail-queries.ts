import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import { PLANS_SHOWN } from "@/components/plans/queries";
import type { PlanPage } from "@/lib/plans/schema";
import type { Charge, PlanChangePreview, Subscription } from "@/lib/subscriptions/schema";

export type { Charge, Subscription };
export type Preview = PlanChangePreview["data"];

export const subscriptionQuery = (account: string, token: string) =>
  queryOptions({
    queryKey: [account, "subscriptions", "one", token],
    queryFn: ({ signal }) =>
      apiOf(account).get<{ data: Subscription }>(`/api/partner/v1/subscriptions/${token}`, {}, signal),
  });

/** The plans on sale beside a plan: those of its product, or those without one. */
export const plansBeside = (account: string, productId: string | null) =>
  queryOptions({
    queryKey: [account, "plans", "beside", productId],
    async queryFn({ signal }) {
      const path = productId
        ? (`/api/partner/v1/products/${productId}/subscription-plans` as const)
        : "/api/partner/v1/subscription-plans";
      const { data } = await apiOf(account).get<PlanPage>(path, { per_page: PLANS_SHOWN }, signal);
      return data.filter(({ status, product }) => status === "active" && (product?.reference_id ?? null) === productId);
    },
  });

export const previewQuery = (account: string, token: string, plan: string) =>
  queryOptions({
    queryKey: [account, "plan-changes", token, plan],
    queryFn: ({ signal }) =>
      apiOf(account).get<PlanChangePreview>(
        `/api/partner/v1/subscriptions/${token}/change-plan/preview`,
        { new_plan_token: plan },
        signal,
      ),
    retry: false,
  });

/** What can be paid or asked for again, if something is owed. */
export const openCharge = ({ charges }: Subscription): Charge | undefined =>
  charges.find(({ status }) => status === "pending");

/** Until when a subscription is paid: what comes then is charged, or is the end. */
export const paidUntil = ({ ends_at, next_charge_at }: Subscription): string | null => ends_at ?? next_charge_at;
