"use client";
import { useTranslations } from "use-intl";
import { isApiError } from "@/components/api";

/**
 * The text of an error in the reader's language, by its code or else by its kind. The API's own text is Portuguese, so
 * it is shown only where the catalogue has no text for the code.
 */
export function useErrorText() {
  const t = useTranslations("errors");
  return (error: Error): string => {
    if (!isApiError(error)) return t("server");
    const { status, code, message } = error;
    const silence = `unanswered.${code}` as "unanswered.no_answer";
    if (code && t.has(silence)) return t(silence);
    const key = `codes.${code}` as "codes.rail_unavailable";
    if (code && t.has(key)) return t(key);
    if (status >= 500 || !message) return t("server");
    const kind = `kinds.${status}` as "kinds.404";
    return t.has(kind) ? t(kind) : message;
  };
}
