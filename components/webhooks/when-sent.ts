"use client";
import { useTranslations } from "use-intl";

/** When a webhook is sent what has this name in the catalogue of events. */
export function useWhenSent() {
  const t = useTranslations("sentEvents.when");
  return (key: string) => t(key as "cobranca_paga");
}
