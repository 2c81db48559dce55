"use client";
import { useTranslations } from "use-intl";
import { PageLink } from "@/components/ui/page-link";
import { Tab, Tabs } from "@/components/ui/tabs";

type Props = { periods: readonly ("hour" | "day" | "week")[]; here: string };

/** The periods of a page of figures, each at an address of its own. */
export function Periods({ periods, here }: Props) {
  const t = useTranslations("reports.periods");
  return (
    <Tabs label={t("label")}>
      {periods.map((period) => (
        <Tab key={period} here={period === here}>
          {(look) => (
            <PageLink {...look} href={`?period=${period}`}>
              {t(period)}
            </PageLink>
          )}
        </Tab>
      ))}
    </Tabs>
  );
}
