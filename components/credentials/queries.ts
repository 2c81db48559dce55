import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ListPage } from "@/components/list/body";
import type { Credential } from "@/lib/credentials/schema";

export const credentialsQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "credentials"],
    queryFn: ({ signal }) =>
      apiOf(account).get<ListPage<Credential>>("/api/partner/v1/credentials", { per_page: 100 }, signal),
  });
