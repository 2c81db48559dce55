"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List, type ListProps } from "@/components/list/list";
import { LinkRow, Rows } from "@/components/list/row";
import { useList } from "@/components/list/use-list";
import { lazyWindow } from "@/components/ui/lazy-window";
import { WebhookStatusWord } from "@/components/webhooks/status";
import type { WebhookPage, WebhookQuery } from "@/lib/webhooks/schema";

const Editor = lazyWindow(() => import("@/components/webhooks/editor").then((module) => module.WebhookEditor));

export function Webhooks({ source, curl }: ListProps<WebhookPage, keyof WebhookQuery>) {
  const t = useTranslations("webhooks");
  const mayWrite = useMay("webhooks:write");
  return (
    <List
      {...useList(source, useApi().account)}
      title={t("title")}
      purpose={t("purpose")}
      add={mayWrite && { label: t("new"), dialog: Editor }}
      empty={t("empty")}
      curl={curl}
      isForDevelopers
      rows={3}
    >
      {(rows) => (
        <Rows>
          {rows.map(({ id, title, url, event, status }) => (
            <LinkRow
              key={id}
              href={`/webhooks/${id}`}
              title={title}
              note={<span className="font-mono">{url}</span>}
              cells={[
                <span key="event" className="text-muted max-md:text-caption">
                  {t(`events.${event}`)}
                </span>,
                <WebhookStatusWord key="status" status={status} />,
              ]}
            />
          ))}
        </Rows>
      )}
    </List>
  );
}
