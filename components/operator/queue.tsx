"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { covering, Table } from "@/components/list/table";
import { Age } from "@/components/operator/age";
import { ModeTabs } from "@/components/operator/mode-tabs";
import { queueQuery } from "@/components/operator/report-queries";
import { Loaded } from "@/components/ui/loaded";
import { PageHead } from "@/components/ui/page";
import { PageLink } from "@/components/ui/page-link";
import type { QueueName, QueueQuery } from "@/lib/queue/schema";

/** Where each kind is decided. */
const pages: Record<QueueName, (mode: QueueQuery["mode"]) => string> = {
  accounts: () => "/operator/accounts?status=pending",
  profile_requests: () => "/operator/profile-requests",
  refunds: (mode) => `/operator/refunds?mode=${mode}`,
  disputes: (mode) => `/operator/disputes?mode=${mode}`,
  withdrawals: (mode) => `/operator/withdrawals?mode=${mode}`,
  unmatched: (mode) => `/operator/unmatched?mode=${mode}`,
  differences: () => "/operator/differences",
};

/** What waits for a person of the staff, the longest waiting first. */
export function QueuePage({ asked }: { asked: QueueQuery }) {
  const t = useTranslations("reports.queue");
  const result = useQuery(queueQuery(asked));
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} />
      <ModeTabs here={asked.mode}>
        {(mode, link) => <PageLink {...link} href={`/operator/queue?mode=${mode}`} />}
      </ModeTabs>
      <Loaded result={result}>
        {({ data }) => (
          <Table
            caption={t("title")}
            rows={data}
            keyOf={({ name }) => name}
            columns={[
              {
                head: t("columns.what"),
                place: "title",
                cell: ({ name }) => (
                  <PageLink href={pages[name](asked.mode)} className={covering}>
                    {t(`names.${name}`)}
                  </PageLink>
                ),
              },
              {
                head: t("columns.oldest"),
                place: "bottomLeft",
                className: "text-muted",
                cell: ({ oldest_at: since }) => (since ? <Age since={since} /> : t("nothing")),
              },
              { head: t("columns.count"), place: "amount", cell: ({ count }) => t("count", { count }) },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
