"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import type { ListPage } from "@/components/list/source";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { Age } from "@/components/operator/age";
import { Comparisons } from "@/components/operator/comparisons";
import { comparisonsQuery } from "@/components/operator/difference-queries";
import { useStaffMay } from "@/components/operator/person";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Money } from "@/components/ui/money";
import { Tab, Tabs } from "@/components/ui/tabs";
import type { DifferencesQuery, Difference as Shown } from "@/lib/differences/schema";
import { differenceKinds, differenceStatuses } from "@/lib/differences/states";

const Difference = lazyWindow(() => import("@/components/operator/difference").then((module) => module.Difference));
const CompareForm = lazyWindow(() => import("@/components/operator/compare-form").then((module) => module.CompareForm));

/** What PSPs have otherwise than we have it, and how they were compared. */
export function Differences({ source }: ListProps<ListPage<Shown>, Exclude<keyof DifferencesQuery, "per_page">>) {
  const t = useTranslations("differences");
  const { result, list } = useList(source, null);
  const mayCompare = useStaffMay("money:write");
  const { data } = useQuery(comparisonsQuery);
  const [open, setOpen] = useState<Shown>();
  const { status = "open" } = list.filters;
  return (
    <>
      <List
        result={result}
        list={list}
        title={t("title")}
        purpose={t("purpose")}
        add={mayCompare && { label: t("compare.open"), dialog: CompareForm }}
        pages={
          <Tabs label={t("statuses")}>
            {differenceStatuses.map((one) => (
              <Tab key={one} here={status === one}>
                {(look) => (
                  <a {...look} {...list.follow({ status: one === "open" ? "" : one })}>
                    {t(`tabs.${one}`)}
                  </a>
                )}
              </Tab>
            ))}
          </Tabs>
        }
        choices={[
          {
            filter: "kind",
            label: t("kind"),
            any: t("anyKind"),
            options: differenceKinds.map((kind) => [kind, t(`kinds.${kind}`)] as const),
          },
          {
            filter: "provider",
            label: t("provider"),
            any: t("anyProvider"),
            options: (data?.meta.providers ?? []).map(({ name, title }) => [name, title] as const),
          },
        ]}
        empty={t("empty")}
        nothing={t("nothing")}
        shown={t}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t("columns.what"),
            place: "title",
            cell: (one) => (
              <button type="button" className={`${covering} max-w-full text-left`} onClick={() => setOpen(one)}>
                {t(`kinds.${one.kind}`)}
                <span className="font-normal text-muted"> · {t(`faults.${one.fault}`)}</span>
              </button>
            ),
          },
          {
            head: t("columns.record"),
            place: "bottomLeft",
            className: "text-muted",
            cell: ({ provider_title: provider, record }) => (
              <span className="wrap-anywhere">
                {provider} · <span className="font-mono text-caption">{record}</span>
              </span>
            ),
          },
          {
            head: t("columns.since"),
            place: "bottomRight",
            className: "text-muted",
            cell: ({ first_seen_at: since }) => <Age since={since} />,
          },
          {
            head: t("columns.amount"),
            place: "amount",
            cell: ({ amount_there, amount_here }) => <Money cents={cents(amount_there ?? amount_here ?? "0.00")} />,
          },
        ]}
      />
      <Comparisons />
      {open && <Difference difference={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
