import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Approvals } from "@/lib/approvals/schema";

/** What waits for a second person of an account, and what was decided lately. */
export const approvalsQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "approvals"],
    queryFn: ({ signal }) => apiOf(account).get<Approvals>("/api/dashboard/v1/approvals", {}, signal),
  });
