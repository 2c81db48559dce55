import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { PlanPage } from "@/lib/plans/schema";
import type { InvitePage } from "@/lib/subscription-splits/schema";

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

/** A plan's splits that count. Ended ones are asked for nowhere, because a plan may have any number of them. */
export const splitsOf = (account: string, token: string) =>
  queryOptions({
    queryKey: [account, "splits", "plan", token],
    async queryFn({ signal }) {
      const read = (status: "accepted" | "pending") =>
        apiOf(account).get<InvitePage>(
          `/api/partner/v1/subscription-plans/${token}/splits`,
          { status, per_page: 100 },
          signal,
        );
      const [accepted, pending] = await Promise.all([read("accepted"), read("pending")]);
      return [...accepted.data, ...pending.data];
    },
  });
