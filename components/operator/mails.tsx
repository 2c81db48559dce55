"use client";
import { useTranslations } from "use-intl";
import { List } from "@/components/list/list";
import { Table } from "@/components/list/table";
import { StatusTabs } from "@/components/list/tabs";
import { Toolbar } from "@/components/list/toolbar";
import { useList } from "@/components/list/use-list";
import { type MailRecord, mails } from "@/components/operator/mail-queries";
import { MailStatusWord, useTemplateName } from "@/components/operator/mail-words";
import { PageLink } from "@/components/ui/page-link";
import { Time } from "@/components/ui/time";

const statuses = ["pending", "failed", "exhausted", "sent"] as const;

/** Every mail of the last 30 days, newest first. */
export function Mails() {
  const t = useTranslations("mails");
  const { result, list } = useList(mails, null);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t(result.data?.meta.route === "inbox" ? "purposeInbox" : "purpose")}
      empty={t("empty")}
      place={({ data, meta }) =>
        t(meta.total_is_exact ? "shown" : "shownOfMore", { shown: data.length, total: meta.total })
      }
      nothing={t(list.filters.search ? "nothingFound" : "noneOfStatus")}
      tools={
        <>
          <StatusTabs
            list={list}
            label={t("statuses")}
            statuses={statuses}
            rare={["kept"]}
            counts={result.data?.meta.counts}
            areLeast="counted"
            name={(tab) => t(`tabs.${tab}`)}
          />
          <Toolbar list={list} label={t("search")} hint={t("searchHint")} />
        </>
      }
    >
      {(rows) => <MailsTable rows={rows} />}
    </List>
  );
}

function MailsTable({ rows }: { rows: MailRecord[] }) {
  const t = useTranslations("mails");
  const nameOf = useTemplateName();
  return (
    <Table
      caption={t("title")}
      rows={rows}
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
          cell: ({ mode }) => (mode === null ? "" : t(`modes.${mode}`)),
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
