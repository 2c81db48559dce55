"use client";
import { ChevronRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import { lazyWindow } from "@/components/ui/lazy-window";
import { RowLink } from "@/components/ui/row-link";
import { webhooks } from "@/components/webhooks/queries";
import { WebhookStatusWord } from "@/components/webhooks/status";
import type { Webhook } from "@/lib/webhooks/schema";

const Editor = lazyWindow(() => import("@/components/webhooks/editor").then((module) => module.WebhookEditor));

export function Webhooks({ curl }: { curl: string }) {
  const t = useTranslations("webhooks");
  const list = useList(webhooks, useApi().account);
  const mayWrite = useMay("webhooks:write");
  return (
    <List
      {...list}
      title={t("title")}
      purpose={t("purpose")}
      add={mayWrite && { label: t("new"), dialog: Editor }}
      empty={t("empty")}
      curl={curl}
      rows={3}
    >
      {(rows) => (
        <ul className="border-b">
          {rows.map((webhook) => (
            <Row key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </List>
  );
}

function Row({ webhook: { id, title, url, event, status } }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  return (
    <li className="relative grid gap-x-6 gap-y-1 border-t py-3 transition-colors hover:bg-line/35 md:grid-cols-[minmax(0,1fr)_180px_110px_20px] md:items-center">
      <div className="min-w-0">
        <RowLink href={`/webhooks/${id}`} className="block truncate font-semibold after:absolute after:inset-0">
          {title}
        </RowLink>
        <p className="truncate font-mono text-caption text-muted">{url}</p>
      </div>
      <p className="text-muted max-md:text-caption">{t(`events.${event}`)}</p>
      <WebhookStatusWord status={status} />
      <ChevronRight aria-hidden="true" className="size-4 text-muted max-md:hidden" />
    </li>
  );
}
