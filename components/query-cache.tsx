"use client";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isApiError } from "@/components/api";
import type { Interruption } from "@/components/frame/interrupted";
import { late } from "@/components/ui/late";

const Interrupted = late(() => import("@/components/frame/interrupted").then((module) => module.Interrupted));

/**
 * The cache of what pages have read from the API; and what all of them say when the API knows their visitor no more.
 * `shows` names the account that they show.
 */
export function QueryCacheProvider({ shows, children }: { shows: string; children: ReactNode }) {
  const [interruption, setInterruption] = useState<Interruption | null>(null);
  const [client] = useState(() => makeClient(setInterruption));
  return (
    <QueryClientProvider client={client}>
      {children}
      {interruption && <Interrupted by={interruption} shows={shows} onClose={() => setInterruption(null)} />}
    </QueryClientProvider>
  );
}

function makeClient(interrupt: (by: Interruption) => void) {
  let isKnown = false; // once is enough for reads, which pages repeat by themselves
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: (count, error) => count < 1 && isApiError(error) && error.status === 0 },
    },
    queryCache: new QueryCache({
      onError(error) {
        const by = interruptionOf(error);
        if (by === "sessionEnded") return leaveForSignIn();
        if (by && !isKnown) interrupt(by);
        isKnown ||= by !== undefined;
      },
    }),
    mutationCache: new MutationCache({
      onError(error) {
        const by = interruptionOf(error);
        if (by) interrupt(by);
      },
    }),
  });
}

function interruptionOf(error: Error): Interruption | undefined {
  if (!isApiError(error)) return undefined;
  if (error.status === 401) return "sessionEnded";
  return error.code === "account_changed" ? "accountChanged" : undefined;
}

function leaveForSignIn() {
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
