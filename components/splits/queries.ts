import { listQuery } from "@/components/list/query";
import type { EarningPage, TotalPage } from "@/lib/earnings/schema";
import type { InvitePage } from "@/lib/subscription-splits/schema";

export const SPLITS_PER_PAGE = 50;
export const SALES_PER_PAGE = 25;

/** The splits of which the account is the recipient: those that wait for its answer, and the accepted ones. */
export const received = listQuery({
  key: ["splits", "received"],
  names: ["page"],
  read: (api, filters, signal) =>
    api.get<InvitePage>("/api/partner/v1/subscription-splits/mine", { ...filters, per_page: SPLITS_PER_PAGE }, signal),
});

/** The splits that the account has offered. */
export const sent = listQuery({
  key: ["splits", "sent"],
  names: ["status", "page"],
  read: (api, filters, signal) =>
    api.get<InvitePage>("/api/partner/v1/subscription-splits", { ...filters, per_page: SPLITS_PER_PAGE }, signal),
});

/** What the account earned by month, plan and seller. */
export const totals = listQuery({
  key: ["splits", "totals"],
  names: ["page"],
  read: (api, filters, signal) =>
    api.get<TotalPage>("/api/partner/v1/earnings/months", { ...filters, per_page: SPLITS_PER_PAGE }, signal),
});

/** What the account earned by each sale. */
export const earnings = listQuery({
  key: ["splits", "earnings"],
  names: ["month", "plan", "cursor"],
  read: (api, filters, signal) =>
    api.get<EarningPage>("/api/partner/v1/earnings", { ...filters, per_page: SALES_PER_PAGE }, signal),
});
