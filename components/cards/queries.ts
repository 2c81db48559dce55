import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { PublicKey } from "@/lib/public-keys/schema";

export const publicKeyQuery = (account: string) =>
  queryOptions({
    queryKey: [account, "public-key"],
    queryFn: ({ signal }) => apiOf(account).get<PublicKey>("/api/partner/v1/public-key", {}, signal),
  });
