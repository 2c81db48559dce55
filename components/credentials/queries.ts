import { type ListPage, listQuery } from "@/components/list/query";
import type { Credential } from "@/lib/credentials/schema";

export const credentials = listQuery({
  key: ["credentials"],
  names: [],
  read: (api, _, signal) => api.get<ListPage<Credential>>("/api/partner/v1/credentials", { per_page: 100 }, signal),
});
