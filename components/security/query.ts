import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Security } from "@/lib/users/schema";

/** How the person who is signed in signs in: it concerns no account. */
export const securityQuery = queryOptions({
  queryKey: ["security"],
  queryFn: ({ signal }) => apiOf(null).get<Security>("/api/dashboard/v1/security", {}, signal),
});
