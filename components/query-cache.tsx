"use client";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isApiError } from "@/components/api";

/** The cache of what pages have read from the API. */
export function QueryCacheProvider({ children }: { children: ReactNode }) {
  const [client] = useState(makeClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

const makeClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: (count, error) => count < 1 && isApiError(error) && error.status === 0 },
    },
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  });

function leaveWhenSignedOut(error: Error) {
  if (!isApiError(error) || error.status !== 401) return;
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
