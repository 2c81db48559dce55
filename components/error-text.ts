"use client";
import { useTranslations } from "use-intl";
import { isApiError } from "@/components/api";

/**
 * What went wrong, in the reader's language: by the stable code where the answer has one, else by its kind. The
 * API's own text is Portuguese, so it is shown only where the catalogue has nothing nearer.
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
