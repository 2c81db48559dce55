import { queryOptions } from "@tanstack/react-query";
import { api } from "@/components/api";
import type { Credential } from "@/lib/credentials/schema";

export const credentialsQuery = () =>
  queryOptions({
    queryKey: ["credentials"],
    queryFn: ({ signal }) => api.get<{ data: Credential[] }>("/api/partner/v1/credentials", { per_page: 100 }, signal),
  });
