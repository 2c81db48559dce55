"use client";
import { Download } from "lucide-react";
import { useLocale, useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import type { Filters } from "@/components/list/source";
import type { StatementFilters } from "@/components/statement/days";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";

type Props = { account: string; filters: Filters<StatementFilters> };

/** The lines of the list as a file, for programs and for a Brazilian Excel. */
export function ExportButtons({ account, filters: { from, to, balance, about } }: Props) {
  const t = useTranslations("statement");
  const language = useLocale();
  const save = useAction<void, "raw" | "excel">({
    act: (format) => {
      const asked = { from, to, balance, about, format, language };
      return apiOf(account).download("/api/partner/v1/statement/export", asked, `${t("file")}.csv`);
    },
    refresh: [account, "exports"],
  });
  return (["raw", "excel"] as const).map((format) => (
    <Button
      key={format}
      look="quiet"
      busy={save.isPending && save.variables === format}
      onClick={() => save.mutate(format)}
    >
      <Download aria-hidden="true" />
      {t(`export.${format}`)}
    </Button>
  ));
}
