import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Closing } from "@/lib/closing/schema";
import type { Notifications } from "@/lib/notifications/schema";
import type { Onboarding } from "@/lib/onboarding/schema";
import type { OwnAccount } from "@/lib/profile/schema";

/** The key of all queries about an account itself. */
export const settingsOf = (account: string) => [account, "settings"];

export const ownAccountQuery = (account: string) =>
  queryOptions({
    queryKey: [...settingsOf(account), "company"],
    queryFn: ({ signal }) => apiOf(account).get<{ data: OwnAccount }>("/api/dashboard/v1/account", {}, signal),
  });

export const documentsQuery = (account: string) =>
  queryOptions({
    queryKey: [...settingsOf(account), "documents"],
    queryFn: ({ signal }) =>
      apiOf(account).get<{ data: Onboarding }>("/api/dashboard/v1/account/documents", {}, signal),
  });

export const closingQuery = (account: string) =>
  queryOptions({
    queryKey: [...settingsOf(account), "closing"],
    queryFn: ({ signal }) => apiOf(account).get<{ data: Closing }>("/api/dashboard/v1/account/closing", {}, signal),
  });

export const notificationsQuery = (account: string) =>
  queryOptions({
    queryKey: [...settingsOf(account), "notifications"],
    queryFn: ({ signal }) => apiOf(account).get<Notifications>("/api/dashboard/v1/notifications", {}, signal),
  });
