import { queryOptions } from "@tanstack/react-query";
import { api } from "@/components/api";
import type { Overview } from "@/lib/overview/schema";

/** What Home is about; fresh at every visit and every half minute. */
export const overviewQuery = () =>
  queryOptions({
    queryKey: ["overview"],
    queryFn: ({ signal }) => api.get<{ data: Overview }>("/api/partner/v1/overview", {}, signal),
    refetchInterval: 30_000,
  });
