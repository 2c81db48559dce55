"use client";
import { useTranslations } from "use-intl";
import { List, type ListProps } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import type { MailPage } from "@/components/operator/mail-queries";
import { MailStatusWord, useTemplateName } from "@/components/operator/mail-words";
import { PageLink } from "@/components/ui/page-link";
import { Time } from "@/components/ui/time";
import type { MailsQuery } from "@/lib/mail/schema";

const statuses = ["pending", "failed", "exhausted", "sent"] as const;

/** Every mail of the last 30 days, newest first. */
export function Mails({ source }: ListProps<MailPage, keyof MailsQuery>) {
  const operator = useTranslations("operator");
  const t = useTranslations("mails");
  const nameOf = useTemplateName();
  const { result, list } = useList(source, null);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t(result.data?.meta.route === "inbox" ? "purposeInbox" : "purpose")}
      empty={t("empty")}
      nothing={t(list.filters.search ? "nothingFound" : "noneOfStatus")}
      tabs={{ label: t("statuses"), statuses, rare: ["kept"], name: (tab) => t(`tabs.${tab}`) }}
      search={{ label: t("search"), hint: t("searchHint") }}
      shown={t}
      keyOf={(row) => row.id}
      columns={[
        {
          head: t("columns.mail"),
          place: "title",
          cell: ({ id, template, recipient }) => (
            <PageLink
              href={`/operator/mails/${id}`}
              className="block font-medium after:absolute after:inset-0 sm:truncate"
            >
              {nameOf(template)}
              <span className="sr-only"> · {recipient}</span>
            </PageLink>
          ),
        },
        {
          head: t("recipient"),
          place: "bottomLeft",
          className: "max-w-[260px] truncate text-muted",
          cell: (row) => row.recipient,
        },
        { head: t("columns.status"), place: "topRight", cell: (row) => <MailStatusWord status={row.status} /> },
        {
          head: t("columns.error"),
          place: "wide",
          className: "text-muted",
          cell: ({ error }) => (error === null ? "" : t(`errors.${error}`)),
        },
        {
          head: t("columns.mode"),
          place: "wide",
          className: "text-muted",
          cell: ({ mode }) => (mode === null ? "" : operator(`modes.${mode}`)),
        },
        {
          head: t("columns.written"),
          place: "bottomRight",
          className: "text-muted",
          cell: (row) => <Time at={row.created_at} />,
        },
      ]}
    />
  );
}
