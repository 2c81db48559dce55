import { useTranslations } from "use-intl";

/** How long something lasts, in its largest whole unit. */
export function useLasting() {
  const t = useTranslations("reports.lasting");
  return (seconds: number): string => {
    if (seconds < 60) return t("seconds", { count: Math.round(seconds) });
    if (seconds < 3_600) return t("minutes", { count: Math.floor(seconds / 60) });
    return seconds < 86_400
      ? t("hours", { count: Math.floor(seconds / 3_600) })
      : t("days", { count: Math.floor(seconds / 86_400) });
  };
}
