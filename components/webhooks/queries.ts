import { type ListPage, listQuery } from "@/components/list/query";
import type { DeliveryPage, Webhook } from "@/lib/webhooks/schema";

/** All webhooks of the account, which may not have more than one page holds. */
export const webhooks = listQuery({
  key: ["webhooks", "list"],
  names: [],
  read: (api, _, signal) => api.get<ListPage<Webhook>>("/api/partner/v1/webhooks", { per_page: 100 }, signal),
});

export const DELIVERIES_PER_PAGE = 20;
const OPEN_POLL_MS = 3_000;
const IDLE_POLL_MS = 15_000;

/** The deliveries to a webhook, read again by itself while one is pending. */
export const deliveries = (id: number) =>
  listQuery({
    key: ["webhooks", "deliveries", id],
    names: ["status", "cursor"],
    read: (api, filters, signal) =>
      api.get<DeliveryPage>(
        `/api/partner/v1/webhooks/${id}/deliveries`,
        { ...filters, per_page: DELIVERIES_PER_PAGE },
        signal,
      ),
    refetchMs: (page) => (page?.data.some(({ status }) => status === "pending") ? OPEN_POLL_MS : IDLE_POLL_MS),
  });
