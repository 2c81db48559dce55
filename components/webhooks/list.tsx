"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { PageHead } from "@/components/ui/page";
import { RowLink } from "@/components/ui/row-link";
import { RowBones } from "@/components/ui/skeleton";
import { Empty, Failure } from "@/components/ui/state";
import { webhooksQuery } from "@/components/webhooks/queries";
import { WebhookStatusWord } from "@/components/webhooks/status";

const Editor = lazyWindow(() => import("@/components/webhooks/editor").then((module) => module.WebhookEditor));

export function Webhooks({ curl }: { curl: string }) {
  const t = useTranslations("webhooks");
  const { data, error, refetch } = useQuery(webhooksQuery(useApi().account));
  const [creating, setCreating] = useState(false);
  const mayWrite = useMay("webhooks:write");
  const action = mayWrite && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      {t("new")}
    </Button>
  );
  const isEmpty = data?.data.length === 0;
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} action={!isEmpty && action} />
      {error && <Failure error={error} onRetry={() => refetch()} slim={data !== undefined} />}
      {!data ? (
        !error && <RowBones rows={3} />
      ) : isEmpty ? (
        <Empty action={action} curl={curl}>
          {t("empty")}
        </Empty>
      ) : (
        <ul className="border-b">
          {data.data.map(({ id, title, url, event, status }) => (
            <li
              key={id}
              className="relative grid gap-x-6 gap-y-1 border-t py-3 transition-colors hover:bg-line/35 md:grid-cols-[minmax(0,1fr)_180px_110px_20px] md:items-center"
            >
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
          ))}
        </ul>
      )}
      {creating && <Editor onClose={() => setCreating(false)} />}
    </>
  );
}
