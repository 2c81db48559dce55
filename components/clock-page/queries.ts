import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Advanced, Clock } from "@/lib/sandbox/schema";

const LOOK_EVERY_MS = 500;

/** The account's clock. While an advance is asked for or runs, it is read again and again. */
export const clockQuery = (account: string, isAsked = false) =>
  queryOptions({
    queryKey: [account, "clock"],
    queryFn: ({ signal }) => apiOf(account).get<Clock>("/api/partner/v1/sandbox/clock", {}, signal),
    refetchInterval: ({ state }) => (isAsked || state.data?.advance ? LOOK_EVERY_MS : false),
  });

/** One advance of the clock, read until it is done. */
export const advanceQuery = (account: string, id: string | undefined) =>
  queryOptions({
    queryKey: [account, "clock", "advance", id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => apiOf(account).get<Advanced>(`/api/partner/v1/sandbox/clock/advance/${id}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.done ? false : LOOK_EVERY_MS),
  });
