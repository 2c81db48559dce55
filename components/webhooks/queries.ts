import { apiOf } from "@/components/api";
import type { ListSource } from "@/components/list/source";
import type { DeliveryPage, EventAnswer, EventPage, EventQuery, LastReplay, WebhookPage } from "@/lib/webhooks/schema";

/** All webhooks of the account, which may not have more than one page holds. */
export const webhooks: ListSource<WebhookPage, never> = {
  key: ["webhooks", "list"],
  path: "/api/partner/v1/webhooks",
  filters: [],
  query: { per_page: 100 },
};

const OPEN_POLL_MS = 3_000;
const IDLE_POLL_MS = 15_000;

/** The deliveries to a webhook. */
export const deliveries = (id: string): ListSource<DeliveryPage, "status" | "cursor"> => ({
  key: ["webhooks", "deliveries", id],
  path: `/api/partner/v1/webhooks/${id}/deliveries`,
  filters: ["status", "cursor"],
  query: { per_page: 20 },
});

/** When deliveries are read again: soon while one is pending. */
export const deliveriesAgain = (page: DeliveryPage | undefined) =>
  page?.data.some(({ status }) => status === "pending") ? OPEN_POLL_MS : IDLE_POLL_MS;

/** What happened in the account that webhooks may be told of. */
export const events = {
  key: ["events", "list"],
  path: "/api/partner/v1/events",
  query: { per_page: 20 },
} satisfies Omit<ListSource<EventPage, keyof EventQuery>, "filters">;

/** An event with its deliveries. */
export const eventQuery = (account: string, id: string) => ({
  queryKey: [account, "events", id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    apiOf(account).get<EventAnswer>(`/api/partner/v1/events/${id}`, {}, signal),
});

/** The last replay of a webhook, read again while it runs. */
export const replayQuery = (account: string, id: string) => ({
  queryKey: [account, "webhooks", "replay", id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    apiOf(account).get<LastReplay>(`/api/partner/v1/webhooks/${id}/replay`, {}, signal),
  refetchInterval: ({ state }: { state: { data?: LastReplay | undefined } }) =>
    state.data?.data?.state === "running" && OPEN_POLL_MS,
});
