"use client";
import type { ReactNode } from "react";
import { IntlProvider } from "use-intl";
import { Toasts } from "@/components/ui/toast";
import { TIME_ZONE } from "@/lib/time/calendar";
import type { Locale, Messages } from "@/messages";

// Zod tries whether it may compile code. Our policy forbids that and would report each try, so it is switched off here.
if (typeof window !== "undefined") Object.assign(window, { __zod_globalConfig: { jitless: true } });

type Props = { locale: Locale; messages: Partial<Messages>; children: ReactNode };

/** Language and toasts for everything below. */
export function Providers({ locale, messages, children }: Props) {
  return (
    <IntlProvider locale={locale} messages={messages} timeZone={TIME_ZONE} onError={rethrow}>
      {children}
      <Toasts />
    </IntlProvider>
  );
}

const rethrow = (error: Error) => {
  throw error;
};
