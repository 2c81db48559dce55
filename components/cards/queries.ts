import { queryOptions } from "@tanstack/react-query";
import { api } from "@/components/api";
import type { PublicKey } from "@/lib/cards/schema";

export const publicKeyQuery = () =>
  queryOptions({
    queryKey: ["public-key"],
    queryFn: ({ signal }) => api.get<PublicKey>("/api/partner/v1/public-key", {}, signal),
  });
