import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ApiPath } from "@/components/paths";
import type { HealthQuery } from "@/lib/outside/schema";
import type { RailsHealth } from "@/lib/providers/schema";
import type { Queue, QueueQuery } from "@/lib/queue/schema";
import type { ReconcileRuns } from "@/lib/reconcile/schema";
import type { RefusedQuery, RefusedRules } from "@/lib/refusals/schema";
import type { Revenue, RevenueQuery } from "@/lib/revenue/schema";
import type { Works } from "@/lib/work/schema";

/** The staff's calls name no account. */
const api = apiOf(null);

const reportOf =
  <T, Asked extends Record<string, string | undefined>>(path: ApiPath) =>
  (asked: Asked) =>
    queryOptions({
      queryKey: [null, path, asked],
      queryFn: ({ signal }) => api.get<T>(path, asked, signal),
    });

type Nothing = Record<string, never>;

const RECONCILE = "/api/operator/v1/reconcile";
/** The key of the comparisons. */
export const RECONCILES = [null, RECONCILE];

export const reconcileQuery = reportOf<ReconcileRuns, Nothing>(RECONCILE);
export const jobsQuery = reportOf<Works, Nothing>("/api/operator/v1/jobs");
export const healthQuery = reportOf<RailsHealth, HealthQuery>("/api/operator/v1/providers");
export const refusedQuery = reportOf<RefusedRules, RefusedQuery>("/api/operator/v1/refused");
export const revenueQuery = reportOf<Revenue, RevenueQuery>("/api/operator/v1/revenue");

export const reconcileNow = () => api.post(RECONCILE);
export const queueQuery = reportOf<Queue, QueueQuery>("/api/operator/v1/queue");
