"use client";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { isApiError } from "@/components/api";
import { lazyWindow } from "@/components/ui/lazy-window";
import { toast } from "@/components/ui/toast";

const AccountChanged = lazyWindow(() => import("@/components/frame/account-changed").then((m) => m.AccountChanged));
const SignInAgain = lazyWindow(() => import("@/components/frame/sign-in-again").then((m) => m.SignInAgain));

/** Why the calls of an open page are refused: its account is no longer the visitor's, or the session has ended. */
type Interruption = "accountChanged" | "sessionEnded";

type Props = { shows: string; email: string; children: ReactNode };

/**
 * The cache of what pages have read from the API, and the windows that open when the API no longer knows their visitor.
 * `shows` names the account that the pages show, `email` is their person's.
 */
export function QueryCacheProvider({ shows, email, children }: Props) {
  const t = useTranslations("interrupted.sessionEnded");
  const [interruption, setInterruption] = useState<Interruption | null>(null);
  const [client] = useState(() => makeClient(setInterruption));
  const close = () => setInterruption(null);
  function goOn() {
    close();
    toast(t("back"));
    client.invalidateQueries();
  }
  return (
    <QueryClientProvider client={client}>
      {children}
      {interruption === "accountChanged" && <AccountChanged shows={shows} onClose={close} />}
      {interruption === "sessionEnded" && <SignInAgain shows={shows} email={email} onSignedIn={goOn} onClose={close} />}
    </QueryClientProvider>
  );
}

function makeClient(interrupt: (by: Interruption) => void) {
  let isKnown = false; // reads repeat by themselves, so the window would open again after it was closed
  return new QueryClient({
    defaultOptions: {
      // By default a call made offline waits and is sent later, when the person may not want it any more.
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (count, error) => count < 1 && isApiError(error) && error.status === 0,
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
}

function interruptionOf(error: Error): Interruption | undefined {
  if (!isApiError(error)) return undefined;
  if (error.status === 401) return "sessionEnded";
  return error.code === "account_changed" ? "accountChanged" : undefined;
}
