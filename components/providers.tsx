"use client";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { IntlProvider } from "use-intl";
import { isApiError } from "@/components/api";
import { Toaster } from "@/components/ui/toast";
import type { Locale, Messages } from "@/messages";

// Zod tries whether it may compile code, which our policy forbids: each try would be reported. It looks here first.
if (typeof window !== "undefined") Object.assign(window, { __zod_globalConfig: { jitless: true } });

type Props = { locale: Locale; messages: Messages; children: ReactNode };

/** Language, query cache and toasts for everything below. */
export function Providers({ locale, messages, children }: Props) {
  const [client] = useState(makeClient);
  return (
    <IntlProvider locale={locale} messages={messages} timeZone="America/Sao_Paulo" onError={rethrow}>
      <QueryClientProvider client={client}>
        {children}
        <Toaster />
      </QueryClientProvider>
    </IntlProvider>
  );
}

const rethrow = (error: Error) => {
  throw error;
};

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
