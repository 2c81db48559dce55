import { listQuery } from "@/components/list/query";
import type { SubscriberPage } from "@/lib/subscriptions/schema";

export const SUBSCRIBERS_PER_PAGE = 25;

/** The people who subscribe to any plan, newest first. */
export const subscribers = listQuery({
  key: ["subscribers", "list"],
  names: ["search", "cursor"],
  read: (api, filters, signal) =>
    api.get<SubscriberPage>("/api/partner/v1/subscribers", { ...filters, per_page: SUBSCRIBERS_PER_PAGE }, signal),
});
