"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useDates } from "@/components/format";
import { comparisonsQuery } from "@/components/operator/difference-queries";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { Comparison } from "@/lib/differences/schema";
import { differenceKinds } from "@/lib/differences/states";

/** How often the page looks whether a comparison that was not tried yet has ended. */
const LOOK_MS = 5_000;

/** The newest comparisons with PSPs: what was counted on both sides, or why nothing could be compared. */
export function Comparisons() {
  const t = useTranslations("differences.comparisons");
  const result = useQuery({
    ...comparisonsQuery,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ ended_at, failure }) => !ended_at && failure === null) ? LOOK_MS : false,
  });
  return (
    <Section title={t("title")} className="mt-10">
      <Loaded result={result} skeleton={<RowsSkeleton rows={3} />}>
        {({ data, meta: { providers } }) =>
          data.length === 0 ? (
            <p className="text-muted">{t(providers.length === 0 ? "noProvider" : "empty")}</p>
          ) : (
            <ul>
              {data.map((one) => (
                <One key={one.id} comparison={one} title={providers.find(({ name }) => name === one.provider)?.title} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function One({ comparison, title }: { comparison: Comparison; title: string | undefined }) {
  const t = useTranslations("differences");
  const { full } = useDates();
  const { provider, since, until, figures, failure, ended_at } = comparison;
  return (
    <li className="grid gap-1 border-t py-4 first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <span className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <span className="font-medium">{title ?? provider}</span>
          <Outcome comparison={comparison} />
        </span>
        <span className="text-caption text-muted">
          {ended_at ? <Time at={ended_at} real absolute /> : t("comparisons.underWay")}
        </span>
      </div>
      <p className="text-caption text-muted">{t("comparisons.span", { since: full(since), until: full(until) })}</p>
      {failure !== null && <p className="text-muted">{t(`comparisons.failures.${failure}`)}</p>}
      {figures && (
        <p className="text-caption text-muted">
          {differenceKinds
            .map((kind) => `${t(`plural.${kind}`)}: ${t("comparisons.counted", figures[kind])}`)
            .join(" · ")}
          {figures.unreadable > 0 && ` · ${t("comparisons.unreadable", { count: figures.unreadable })}`}
        </p>
      )}
    </li>
  );
}

/** What a comparison found. One that could not be made found nothing out, which is another thing than no difference. */
function Outcome({ comparison: { found, failure, ended_at } }: { comparison: Comparison }) {
  const t = useTranslations("differences.comparisons");
  if (failure !== null) return <Status tone="bad">{t(ended_at ? "failed" : "failing")}</Status>;
  if (found === null) return <Status tone="info">{t("waiting")}</Status>;
  return <Status tone={found > 0 ? "warn" : "good"}>{t("found", { count: found })}</Status>;
}
