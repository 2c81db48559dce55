import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { PlanPage } from "@/lib/plans/schema";

export const PLANS_LISTED = 100;

/** The plans that a list of subscriptions can be narrowed to: the newest hundred that are not archived. */
export const plansToFilter = (account: string) =>
  queryOptions({
    queryKey: [account, "plans", "filter"],
    queryFn: ({ signal }) =>
      apiOf(account).get<PlanPage>("/api/partner/v1/subscription-plans", { per_page: PLANS_LISTED }, signal),
  });

/** The page of a subscription. */
export const subscriptionPath = (token: string) => `/subscriptions/${token}` as const;
