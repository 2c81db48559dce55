import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Erasure } from "@/lib/privacy/schema";

const LOOK_EVERY_MS = 3_000;

/** The latest erasures; they are read again while one is under way. */
export const erasuresQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "erasures"],
    queryFn: ({ signal }) =>
      apiOf(account).get<{ data: Erasure[] }>("/api/dashboard/v1/customer-data/erasures", {}, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ done_at }) => done_at === null) ? LOOK_EVERY_MS : false,
  });
