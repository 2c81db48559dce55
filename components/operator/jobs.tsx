"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Table } from "@/components/list/table";
import { useLasting } from "@/components/operator/lasting";
import { jobsQuery } from "@/components/operator/report-queries";
import { Loaded } from "@/components/ui/loaded";
import { PageHead } from "@/components/ui/page";

/** What waits for each worker, and what of it fails: what waits longest first. */
export function Jobs() {
  const t = useTranslations("reports.jobs");
  const lasting = useLasting();
  const result = useQuery(jobsQuery({}));
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} />
      <Loaded result={result}>
        {({ data }) => (
          <Table
            caption={t("title")}
            rows={data}
            keyOf={({ name }) => name}
            columns={[
              {
                head: t("columns.name"),
                place: "title",
                cell: ({ name }) => <span className="wrap-anywhere font-mono text-caption">{name}</span>,
              },
              {
                head: t("columns.oldest"),
                place: "bottomLeft",
                className: "text-muted",
                cell: ({ rows, oldest_seconds }) => (rows === 0 ? t("nothing") : lasting(oldest_seconds)),
              },
              {
                head: t("columns.failing"),
                place: "bottomRight",
                cell: ({ failing }) =>
                  failing ? <span className="text-bad">{t("failing", { count: failing })}</span> : t("none"),
              },
              { head: t("columns.rows"), place: "amount", cell: ({ rows }) => t("rows", { count: rows }) },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
