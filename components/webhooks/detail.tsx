"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { useAccountPath } from "@/components/ui/link";
import { Loaded } from "@/components/ui/loaded";
import { Columns, DetailHead, Facts, PageHead, Section } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { Deliveries } from "@/components/webhooks/deliveries";
import { webhooks } from "@/components/webhooks/queries";
import { WebhookStatusWord } from "@/components/webhooks/status";
import type { Webhook } from "@/lib/webhooks/schema";

const Editor = lazyWindow(() => import("@/components/webhooks/editor").then((module) => module.WebhookEditor));

export function WebhookDetail({ id }: { id: number }) {
  const t = useTranslations("webhooks");
  const { account } = useApi();
  const result = useQuery({
    ...webhooks.of(account, {}),
    select: ({ data }) => data.find((webhook) => webhook.id === id),
  });
  return (
    <Loaded result={result} head={<PageHead title={t("one")} />} skeleton={<RowsSkeleton rows={5} />}>
      {(webhook) => webhook && <Known webhook={webhook} />}
    </Loaded>
  );
}

function Known({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const { id, title, url, event, status, token_prefix, token_last4, created_at, disabled_at } = webhook;
  const mayWrite = useMay("webhooks:write");
  return (
    <>
      <Breadcrumb href="/webhooks" list={t("title")} here={title} />
      <DetailHead
        title={title}
        status={<WebhookStatusWord status={status} />}
        actions={mayWrite && <Actions webhook={webhook} />}
      />
      <Columns>
        <Deliveries id={id} />
        <Section title={t("facts")} className="max-lg:order-first">
          <Facts
            rows={[
              [t("url"), <Copyable key="url" text={url} />],
              [t("event"), t(`events.${event}`)],
              [
                t("token"),
                <code key="token" className="font-mono text-caption">
                  {token_prefix}…{token_last4}
                </code>,
              ],
              [t("createdAt"), <Time key="created" at={created_at} absolute />],
              disabled_at ? [t("disabledAt"), <Time key="disabled" at={disabled_at} absolute />] : null,
            ]}
          />
        </Section>
      </Columns>
    </>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const api = useApi();
  const to = useAccountPath();
  const [editing, setEditing] = useState(false);
  return (
    <div className="flex gap-2">
      <Button onClick={() => setEditing(true)}>{t("edit")}</Button>
      <ConfirmButton
        look="quiet"
        title={t("removeNamed", { name: webhook.title })}
        help={t("removeHelp")}
        action={t("removeNow")}
        act={() => api.delete(`/api/partner/v1/webhooks/${webhook.id}`)}
        done={t("removed")}
        refresh={[api.account, "webhooks", "list"]}
        onDone={() => router.push(to("/webhooks"))}
        leaves
      >
        {t("remove")}
      </ConfirmButton>
      {editing && <Editor webhook={webhook} onClose={() => setEditing(false)} />}
    </div>
  );
}
