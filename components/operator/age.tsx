"use client";
import { useTranslations } from "use-intl";
import { useNow } from "@/components/clock";
import { useDates } from "@/components/format";
import { Time } from "@/components/ui/time";
import { DAY_MS } from "@/lib/time/calendar";

/** How long it waits: in days from one on, because it is the age that decides what comes next. */
export function Age({ since }: { since: string }) {
  const t = useTranslations("operator");
  const { full } = useDates();
  const days = Math.floor((useNow() - Date.parse(since)) / DAY_MS);
  if (days < 1) return <Time at={since} />;
  return (
    <time dateTime={since} title={full(since)} className="whitespace-nowrap">
      {t("days", { days })}
    </time>
  );
}
