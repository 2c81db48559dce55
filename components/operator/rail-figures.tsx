"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useNow } from "@/components/clock";
import { useDates, useNumbers } from "@/components/format";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RailState } from "@/lib/providers/schema";
import { DAY_MS } from "@/lib/time/calendar";

/** How many days before its end a certificate is warned of. */
const WARNED_DAYS = 30;
/** Since when the list of a provider that is looked at each minute was not read, so that something is wrong. */
const LOOK_LATE_MS = 300_000;

/** What a rail has answered, what waits for it and what is watched at it, in columns where there is room. */
export function RailFigures({ rail }: { rail: RailState }) {
  const t = useTranslations("providers");
  const { last_success_at: last, looked_at: looked, hour, day, watched, unanswered } = rail;
  const facts: [string, ReactNode][] = [
    [t("lastSuccess"), last === null ? t("never") : <Time key="last" at={last} />],
    ...(rail.is_connected || looked !== null
      ? [[t("looked"), <Looked key="looked" at={looked} />] as [string, ReactNode]]
      : []),
    [t("hour"), <Answers key="hour" of={hour} />],
    [t("day"), <Answers key="day" of={day} />],
    [t("waiting"), <Open key="open" of={rail.open} />],
    [
      t("watched"),
      <span key="watched" className={unanswered > 0 ? "text-warn" : undefined}>
        {t("watchedCount", { watched, unanswered })}
      </span>,
    ],
    ...(rail.is_connected
      ? [[t("certificate"), <CertificateEnd key="end" at={rail.certificate_ends_at} />] as [string, ReactNode]]
      : []),
  ];
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
      {facts.map(([label, value]) => (
        <div key={label} className="grid min-w-0 content-start">
          <dt className="text-caption text-muted">{label}</dt>
          <dd className="grid min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** When a provider's list was last read, which nothing else tells: calls may be answered while it fails. */
function Looked({ at }: { at: string | null }) {
  const t = useTranslations("providers");
  const now = useNow();
  if (at === null) return t("never");
  return (
    <span className={now - Date.parse(at) > LOOK_LATE_MS ? "text-warn" : undefined}>
      <Time at={at} />
    </span>
  );
}

function Answers({ of: { calls, failed, p50_seconds, p95_seconds } }: { of: RailState["hour"] }) {
  const t = useTranslations("providers");
  const { percent } = useNumbers();
  if (calls === 0) return t("noCalls");
  const seconds = (value: number | null) => (value === null ? t("none") : t("seconds", { value }));
  const rate = percent(Math.round((failed / calls) * 1_000) / 10);
  return (
    <>
      <span className={failed > 0 ? "text-warn" : undefined}>{t("failed", { rate, failed, calls })}</span>
      <span className="text-caption text-muted tabular-nums">
        {t("speed", { p50: seconds(p50_seconds), p95: seconds(p95_seconds) })}
      </span>
    </>
  );
}

function Open({ of: { waiting, over_minute, over_hour, accepted, oldest_since } }: { of: RailState["open"] }) {
  const t = useTranslations("providers");
  return (
    <>
      <span className={over_minute > 0 ? "text-warn" : undefined}>{t("waitingCount", { waiting })}</span>
      {waiting > 0 && (
        <span className="text-caption text-muted">{t("waitingAges", { minute: over_minute, hour: over_hour })}</span>
      )}
      {oldest_since !== null && (
        <span className="text-caption text-muted">
          {t("oldest")} <Time at={oldest_since} />
        </span>
      )}
      {accepted > 0 && <span className="text-caption text-muted">{t("accepted", { count: accepted })}</span>}
    </>
  );
}

/** The end of a PSP's certificate: a warning thirty days before, and red when it is past. */
export function CertificateEnd({ at }: { at: string | null }) {
  const t = useTranslations("providers");
  const { date } = useDates();
  const leftMs = (at === null ? 0 : Date.parse(at)) - useNow();
  if (at === null) return t("noCertificate");
  const [day, days] = [date(at), Math.floor(leftMs / DAY_MS)];
  if (leftMs <= 0) return <Status tone="bad">{t("certificatePast", { day })}</Status>;
  if (days < WARNED_DAYS) return <Status tone="warn">{t("certificateEnds", { days, day })}</Status>;
  return <Status tone="good">{t("certificateUntil", { day })}</Status>;
}
