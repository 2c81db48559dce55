import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Overview } from "@/lib/dashboard/schema";

/** The content of Home, read again at every visit and every half minute. */
export const overviewQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "overview"],
    queryFn: ({ signal }) => apiOf(account).get<{ data: Overview }>("/api/dashboard/v1/overview", {}, signal),
    refetchInterval: 30_000,
  });
