import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { PlanPage } from "@/lib/plans/schema";

export const PLANS_SHOWN = 100;

/** A product's plans that are not archived, by their display order. */
export const plansOf = (account: string, productId: string) =>
  queryOptions({
    queryKey: [account, "plans", productId],
    queryFn: ({ signal }) =>
      apiOf(account).get<PlanPage>(
        `/api/partner/v1/products/${productId}/subscription-plans`,
        { per_page: PLANS_SHOWN },
        signal,
      ),
  });
