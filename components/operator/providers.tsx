"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Table } from "@/components/list/table";
import { useStaffMay } from "@/components/operator/person";
import { RailFigures } from "@/components/operator/rail-figures";
import { Periods } from "@/components/operator/report-periods";
import { healthQuery } from "@/components/operator/report-queries";
import { buttonLook } from "@/components/ui/button-look";
import { Loaded } from "@/components/ui/loaded";
import { PageHead, Section } from "@/components/ui/page";
import { PageLink } from "@/components/ui/page-link";
import { Status } from "@/components/ui/status";
import type { HealthQuery, ProviderHealth } from "@/lib/outside/schema";
import type { RailState } from "@/lib/providers/schema";

/** Every rail: how it answers, what waits for it, and until when its certificate is good. */
export function Providers({ asked }: { asked: HealthQuery }) {
  const t = useTranslations("providers");
  const result = useQuery(healthQuery(asked));
  const mayWrite = useStaffMay("providers:write");
  return (
    <>
      <PageHead
        title={t("title")}
        purpose={t("purpose")}
        action={
          mayWrite && (
            <PageLink href="/operator/providers/new" className={buttonLook({ look: "primary" })}>
              {t("connect")}
            </PageLink>
          )
        }
      />
      <Loaded result={result}>
        {({ data, rails }) => (
          <div className="grid gap-8">
            {!rails.some(({ is_connected }) => is_connected) && (
              <p className="border-warn border-l-2 bg-surface px-4 py-3">{t("noPsp")}</p>
            )}
            {rails.map((rail) => (
              <Rail key={rail.provider} rail={rail} />
            ))}
            <Section title={t("calls")}>
              <Periods periods={["hour", "day"]} here={asked.period} />
              <Calls rows={data} />
            </Section>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Rail({ rail }: { rail: RailState }) {
  const t = useTranslations("providers");
  const { provider, title, is_connected, is_default } = rail;
  return (
    <Section
      title={
        is_connected ? (
          <>
            <PageLink href={`/operator/providers/${provider}`} className="underline underline-offset-4">
              {title}
            </PageLink>{" "}
            <span className="font-mono font-normal text-caption text-muted">{provider}</span>
          </>
        ) : provider === "simulator" ? (
          t("simulator")
        ) : (
          provider
        )
      }
      aside={
        is_default ? (
          <Status tone="good">{t("default")}</Status>
        ) : (
          provider === "simulator" && <Status tone="muted">{t("simulated")}</Status>
        )
      }
    >
      <RailFigures rail={rail} />
    </Section>
  );
}

/** How each kind of call was answered in the period. */
function Calls({ rows }: { rows: readonly ProviderHealth[] }) {
  const t = useTranslations("providers");
  const seconds = (value: number | null) => (value === null ? t("none") : t("seconds", { value }));
  if (rows.length === 0) return <p className="mt-4 text-muted">{t("noCallsOfPeriod")}</p>;
  return (
    <>
      <Table
        caption={t("calls")}
        rows={rows}
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
              <span className={answered < calls ? "text-warn" : undefined}>{t("answered", { answered, calls })}</span>
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
      <p className="mt-2 text-caption text-muted">{t("speedHelp")}</p>
    </>
  );
}
