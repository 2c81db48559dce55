import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Team } from "@/lib/team/schema";

export const teamQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "team"],
    queryFn: ({ signal }) => apiOf(account).get<Team>("/api/dashboard/v1/team", {}, signal),
  });
