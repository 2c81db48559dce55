"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Table } from "@/components/list/table";
import { Periods } from "@/components/operator/report-periods";
import { refusedQuery } from "@/components/operator/report-queries";
import { Loaded } from "@/components/ui/loaded";
import { PageHead } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import type { RefusedQuery } from "@/lib/refusals/schema";

/** The charges that our own rules refused, by the rule. */
export function RefusedCharges({ asked }: { asked: RefusedQuery }) {
  const t = useTranslations("reports.refused");
  const result = useQuery(refusedQuery(asked));
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} />
      <Periods periods={["hour", "day", "week"]} here={asked.period} />
      <Loaded result={result}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="mt-6 text-muted">{t("empty")}</p>
          ) : (
            <div className="mt-6">
              <Table
                caption={t("title")}
                rows={data}
                keyOf={({ rule }) => rule}
                columns={[
                  {
                    head: t("columns.rule"),
                    place: "title",
                    cell: ({ rule, message }) => (
                      <div className="grid py-1">
                        <span className="wrap-anywhere font-mono text-caption">{rule}</span>
                        {message && <span className="text-caption text-muted sm:truncate">{message}</span>}
                      </div>
                    ),
                  },
                  {
                    head: t("columns.accounts"),
                    place: "bottomLeft",
                    cell: ({ accounts }) => t("accounts", { count: accounts }),
                  },
                  {
                    head: t("columns.last"),
                    place: "bottomRight",
                    className: "text-muted",
                    cell: ({ last_at }) => <Time at={last_at} real />,
                  },
                  {
                    head: t("columns.requests"),
                    place: "amount",
                    cell: ({ requests }) => t("count", { count: requests }),
                  },
                ]}
              />
            </div>
          )
        }
      </Loaded>
    </>
  );
}
