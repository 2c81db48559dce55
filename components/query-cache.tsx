"use client";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { type ApiError, isApiError } from "@/components/api";
import { askBy } from "@/components/step-up";
import { lazyWindow } from "@/components/ui/lazy-window";
import { toast } from "@/components/ui/toast";

const AccountChanged = lazyWindow(() => import("@/components/frame/account-changed").then((m) => m.AccountChanged));
const SignInAgain = lazyWindow(() => import("@/components/frame/sign-in-again").then((m) => m.SignInAgain));

const ProveAgain = lazyWindow(() => import("@/components/frame/prove-again").then((m) => m.ProveAgain));

/** Why the calls of an open page are refused: its account is no longer the visitor's, or the session has ended. */
type Interruption = "accountChanged" | "sessionEnded";

type Props = { shows: string; email: string; children: ReactNode };

/**
 * The cache of what pages have read from the API, and the windows that open when the API no longer knows their visitor.
 * `shows` names the account that the pages show, `email` is their person's.
 */
export function QueryCacheProvider({ shows, email, children }: Props) {
  const t = useTranslations("interrupted.sessionEnded");
  const waits = useTranslations("errors")("waits");
  const [interruption, setInterruption] = useState<Interruption | null>(null);
  const [client] = useState(() => makeClient(setInterruption, () => toast(waits)));
  const [answer, setAnswer] = useState<((isProved: boolean) => void) | null>(null);
  useEffect(() => {
    askBy(() => new Promise((resolve) => setAnswer(() => resolve)));
    return () => askBy(null);
  }, []);
  function answerWith(isProved: boolean) {
    answer?.(isProved);
    setAnswer(null);
  }
  const close = () => setInterruption(null);
  function goOn() {
    close();
    toast(t("back"));
    client.invalidateQueries();
  }
  return (
    <QueryClientProvider client={client}>
      {children}
      {answer && <ProveAgain onProved={() => answerWith(true)} onClose={() => answerWith(false)} />}
      {interruption === "accountChanged" && <AccountChanged shows={shows} onClose={close} />}
      {interruption === "sessionEnded" && <SignInAgain shows={shows} email={email} onSignedIn={goOn} onClose={close} />}
    </QueryClientProvider>
  );
}

/** A read that is refused for too many requests waits as long as it is told, so many times, and goes on by itself. */
const WAITS = 5;
const isWait = (error: unknown): error is ApiError => isApiError(error) && error.status === 429;

function makeClient(interrupt: (by: Interruption) => void, announceWait: () => void) {
  let isKnown = false; // reads repeat by themselves, so the window would open again after it was closed
  const client = new QueryClient({
    defaultOptions: {
      // By default a call made offline waits and is sent later, when the person may not want it any more.
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (count, error) => (isWait(error) ? count < WAITS : count < 1 && isApiError(error) && error.status === 0),
        retryDelay: (count, error) => (isApiError(error) && error.retryAfterMs) || 1_000 * 2 ** count,
      },
    },
    queryCache: new QueryCache({
      onError(error) {
        const by = interruptionOf(error);
        if (by === "sessionEnded" || (by && !isKnown)) interrupt(by);
        isKnown ||= by === "accountChanged";
      },
    }),
    mutationCache: new MutationCache({
      onError(error) {
        const by = interruptionOf(error);
        if (by) interrupt(by);
      },
    }),
  });
  let announcedUntil = 0;
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "failed" || !isWait(event.action.error)) return;
    if (performance.now() < announcedUntil) return; // all reads of the page wait for the same
    announcedUntil = performance.now() + (event.action.error.retryAfterMs ?? 0);
    announceWait();
  });
  return client;
}

function interruptionOf(error: Error): Interruption | undefined {
  if (!isApiError(error)) return undefined;
  if (error.status === 401) return "sessionEnded";
  return error.code === "account_changed" ? "accountChanged" : undefined;
}
