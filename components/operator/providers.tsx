"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Table } from "@/components/list/table";
import { Periods } from "@/components/operator/report-periods";
import { healthQuery } from "@/components/operator/report-queries";
import { Loaded } from "@/components/ui/loaded";
import { PageHead, Section } from "@/components/ui/page";
import type { HealthQuery } from "@/lib/outside/schema";

/** How each provider answers what we ask, and how fast. */
export function Providers({ asked }: { asked: HealthQuery }) {
  const t = useTranslations("reports.providers");
  const result = useQuery(healthQuery(asked));
  const seconds = (value: number | null) => (value === null ? t("none") : t("seconds", { value }));
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} />
      <Periods periods={["hour", "day"]} here={asked.period} />
      <Loaded result={result}>
        {({ data, watches }) => (
          <div className="mt-6 grid gap-8">
            <Section title={t("calls")}>
              {data.length === 0 ? (
                <p className="text-muted">{t("noCalls")}</p>
              ) : (
                <Table
                  caption={t("calls")}
                  rows={data}
                  keyOf={({ provider, kind }) => `${provider} ${kind}`}
                  columns={[
                    {
                      head: t("columns.provider"),
                      place: "title",
                      cell: ({ provider, kind }) => (
                        <>
                          {provider} <span className="font-mono text-caption text-muted">{kind}</span>
                        </>
                      ),
                    },
                    {
                      head: t("columns.answered"),
                      place: "topRight",
                      cell: ({ calls, answered }) => (
                        <span className={answered < calls ? "text-warn" : undefined}>
                          {t("answered", { answered, calls })}
                        </span>
                      ),
                    },
                    {
                      head: t("columns.retried"),
                      place: "wide",
                      cell: ({ retried }) => (retried ? t("count", { count: retried }) : t("none")),
                    },
                    {
                      head: t("columns.speed"),
                      place: "bottomLeft",
                      className: "text-muted",
                      cell: ({ p50_seconds, p95_seconds }) => `${seconds(p50_seconds)} · ${seconds(p95_seconds)}`,
                    },
                  ]}
                />
              )}
            </Section>
            <Section title={t("watches")}>
              {watches.length === 0 ? (
                <p className="text-muted">{t("noWatches")}</p>
              ) : (
                <ul className="grid gap-1">
                  {watches.map(({ provider, watched, unanswered }) => (
                    <li key={provider}>{t("watched", { provider, watched, unanswered })}</li>
                  ))}
                </ul>
              )}
            </Section>
          </div>
        )}
      </Loaded>
    </>
  );
}
