import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Filters } from "@/components/list/address";
import type { ListPage } from "@/components/list/body";
import type { Delivery, Webhook } from "@/lib/webhooks/schema";

export const filterNames = ["status", "page"] as const;
type DeliveryFilters = Filters<(typeof filterNames)[number]>;
export const DELIVERIES_PER_PAGE = 20;

/** All webhooks of the account: it has fewer than the page is long. */
export const webhooksQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "webhooks", "list"],
    queryFn: ({ signal }) =>
      apiOf(account).get<ListPage<Webhook>>("/api/partner/v1/webhooks", { per_page: 100 }, signal),
  });

const OPEN_POLL_MS = 3_000;
const IDLE_POLL_MS = 15_000;

/** What was sent to a webhook. It follows along while something is on its way. */
export const deliveriesQuery = (account: string, id: number, filters: DeliveryFilters) =>
  queryOptions({
    queryKey: [account, "webhooks", "deliveries", id, filters],
    queryFn: ({ signal }) =>
      apiOf(account).get<ListPage<Delivery>>(
        `/api/partner/v1/webhooks/${id}/deliveries`,
        { ...filters, per_page: DELIVERIES_PER_PAGE },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === "pending") ? OPEN_POLL_MS : IDLE_POLL_MS,
  });
