import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { apiOf } from "@/components/api";
import type { Tracking } from "@/lib/tracking/schema";

export type TrackingAnswer = z.output<typeof Tracking>;

const WAITING_POLL_MS = 3_000;
const IDLE_POLL_MS = 15_000;

/** The tracking integration with its last orders, read again soon while one of them is to be sent. */
export const trackingQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "tracking"],
    queryFn: ({ signal }) => apiOf(account).get<TrackingAnswer>("/api/partner/v1/tracking", {}, signal),
    refetchInterval: ({ state }) =>
      state.data?.data.orders.some(({ next_attempt_at }) => next_attempt_at !== null)
        ? WAITING_POLL_MS
        : state.data?.data.active && IDLE_POLL_MS,
  });
