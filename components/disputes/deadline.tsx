"use client";
import { useTranslations } from "use-intl";
import { useNow } from "@/components/clock";
import { useDates } from "@/components/format";
import type { Dispute } from "@/lib/disputes/schema";
import { DAY_MS } from "@/lib/time/calendar";

const HOUR_MS = 3_600_000;

/** How much time is left for the defence of an open dispute, by the account's clock; of one that is defended, that it is. */
export function Deadline({ dispute: { status, deadline, defended_at } }: { dispute: Dispute }) {
  const t = useTranslations("disputes.left");
  const { full } = useDates();
  const left = Date.parse(deadline) - useNow();
  if (status !== "open") return <span>{t("ended")}</span>;
  if (defended_at !== null) return <span>{t("defended")}</span>;
  return (
    <time dateTime={deadline} title={full(deadline)} className="whitespace-nowrap">
      {left <= 0
        ? t("passed")
        : left >= 2 * DAY_MS
          ? t("days", { count: Math.floor(left / DAY_MS) })
          : t("hours", { count: Math.max(1, Math.floor(left / HOUR_MS)) })}
    </time>
  );
}
