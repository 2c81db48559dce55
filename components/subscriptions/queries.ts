import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import { type Filters, listQuery } from "@/components/list/query";
import type { PlanPage } from "@/lib/plans/schema";
import type { SubscriptionPage } from "@/lib/subscriptions/schema";

export const SUBSCRIPTIONS_PER_PAGE = 25;
export const PLANS_LISTED = 100;

const path = "/api/partner/v1/subscriptions";

/** The query of the list's filters: to people, what is paused has a status of its own. */
export const asked = ({ status, ...filters }: Filters<"status" | "plan" | "search" | "cursor">) => ({
  ...{ ...filters, per_page: SUBSCRIPTIONS_PER_PAGE },
  ...(status && { status: status === "paused" ? "suspended" : status }),
  ...((status === "paused" || status === "suspended") && { paused: String(status === "paused") }),
});

/** The subscriptions of the account, newest first. */
export const subscriptions = listQuery({
  key: ["subscriptions", "list"],
  names: ["status", "plan", "search", "cursor"],
  read: (api, filters, signal) => api.get<SubscriptionPage>(path, asked(filters), signal),
});

/** The subscriptions that owe a charge that is past its due date. */
export const overdue = listQuery({
  key: ["subscriptions", "overdue"],
  names: ["status", "search", "cursor"],
  read: (api, filters, signal) =>
    api.get<SubscriptionPage>(path, { ...filters, owing: "true", per_page: SUBSCRIPTIONS_PER_PAGE }, signal),
});

/** The plans that a list of subscriptions can be narrowed to: the newest hundred that are not archived. */
export const plansToFilter = (account: string) =>
  queryOptions({
    queryKey: [account, "plans", "filter"],
    queryFn: ({ signal }) =>
      apiOf(account).get<PlanPage>("/api/partner/v1/subscription-plans", { per_page: PLANS_LISTED }, signal),
  });

/** The page of a subscription. */
export const subscriptionPath = (token: string) => `/subscriptions/${token}` as const;
