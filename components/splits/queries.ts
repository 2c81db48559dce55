import type { ListSource } from "@/components/list/source";
import type { TotalPage } from "@/lib/earnings/schema";

/** What the account earned by month, plan and seller. */
export const totals: ListSource<TotalPage, "page"> & { query: { per_page: number } } = {
  key: ["splits", "totals"],
  path: "/api/partner/v1/earnings/months",
  filters: ["page"],
  query: { per_page: 50 },
};
