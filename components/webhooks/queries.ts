import { queryOptions } from "@tanstack/react-query";
import { api } from "@/components/api";
import type { Delivery, Webhook } from "@/lib/webhooks/schema";

type Page<T> = { data: T[]; meta: { total: number; current_page: number; per_page: number; last_page: number } };
export type WebhookList = Page<Webhook>;
export type DeliveryList = Page<Delivery>;

export const DELIVERIES_PER_PAGE = 20;

export const webhooksQuery = () =>
  queryOptions({
    queryKey: ["webhooks", "list"],
    queryFn: ({ signal }) => api.get<WebhookList>("/api/partner/v1/webhooks", { per_page: 100 }, signal),
  });

export const deliveriesQuery = (id: number, query: { status?: string; page: number }) =>
  queryOptions({
    queryKey: ["webhooks", "deliveries", id, query],
    queryFn: ({ signal }) =>
      api.get<DeliveryList>(
        `/api/partner/v1/webhooks/${id}/deliveries`,
        { ...query, per_page: DELIVERIES_PER_PAGE },
        signal,
      ),
  });
