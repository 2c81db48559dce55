"use client";
import { useTranslations } from "use-intl";

/** What happened in plain words: the name on the wire is for the receiver's program. */
export function useKindName() {
  const t = useTranslations("deliveries.kinds");
  const words = useTranslations("webhooks.events");
  return (event: string) => {
    const [kind, registered] = [event as "transaction.updated", event as "cobranca_paga"];
    if (!event.includes(".")) return words.has(registered) ? words(registered) : event;
    return t.has(kind) ? t(kind) : event;
  };
}
