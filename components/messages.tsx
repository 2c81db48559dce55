"use client";
import { type ReactNode, useMemo } from "react";
import { IntlProvider, useLocale, useMessages } from "use-intl";
import type { Messages } from "@/messages";

type Props = { messages: Partial<Messages>; children: ReactNode };

/** Adds texts to those that the frame around it brought. */
export function MessagesProvider({ messages, children }: Props) {
  const locale = useLocale();
  const outer = useMessages();
  const all = useMemo(() => ({ ...outer, ...messages }), [outer, messages]);
  return (
    <IntlProvider locale={locale} messages={all}>
      {children}
    </IntlProvider>
  );
}
