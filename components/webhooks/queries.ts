import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Delivery, Webhook } from "@/lib/webhooks/schema";

type Page<T> = { data: T[]; meta: { total: number; current_page: number; per_page: number; last_page: number } };
export type WebhookList = Page<Webhook>;
export type DeliveryList = Page<Delivery>;

export const DELIVERIES_PER_PAGE = 20;

export const webhooksQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "webhooks", "list"],
    queryFn: ({ signal }) => apiOf(account).get<WebhookList>("/api/partner/v1/webhooks", { per_page: 100 }, signal),
  });

export const deliveriesQuery = (account: string, id: number, query: { status?: string; page: number }) =>
  queryOptions({
    queryKey: [account, "webhooks", "deliveries", id, query],
    queryFn: ({ signal }) =>
      apiOf(account).get<DeliveryList>(
        `/api/partner/v1/webhooks/${id}/deliveries`,
        { ...query, per_page: DELIVERIES_PER_PAGE },
        signal,
      ),
  });
