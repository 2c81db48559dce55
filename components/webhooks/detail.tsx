"use client";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, type ComponentType, useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { listQuery } from "@/components/list/source";
import { ReadRecord, Record } from "@/components/record/record";
import { RecordTimeline } from "@/components/timeline/timeline";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Button } from "@/components/ui/button";
import { Copyable } from "@/components/ui/copy";
import { DetailActions } from "@/components/ui/detail-actions";
import { lazyWindow } from "@/components/ui/lazy-window";
import { AccountLink } from "@/components/ui/link";
import { Facts, Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { Deliveries } from "@/components/webhooks/deliveries";
import { LastReplay } from "@/components/webhooks/last-replay";
import { webhooks } from "@/components/webhooks/queries";
import { WebhookStatusWord } from "@/components/webhooks/status";
import type { Webhook } from "@/lib/webhooks/schema";

const RotateSecret = lazyWindow(() => import("@/components/webhooks/rotate").then((module) => module.RotateSecret));
const TestWebhook = lazyWindow(() => import("@/components/webhooks/test").then((module) => module.TestWebhook));
const ReplayPeriod = lazyWindow(() => import("@/components/webhooks/replay").then((module) => module.ReplayPeriod));
const Editor = lazyWindow(() => import("@/components/webhooks/editor").then((module) => module.WebhookEditor));

export function WebhookDetail({ id }: { id: string }) {
  const t = useTranslations("webhooks");
  const { account } = useApi();
  const result = useQuery({
    ...listQuery(webhooks, account, {}),
    select: ({ data }) => data.find((webhook) => String(webhook.id) === id),
  });
  return (
    <ReadRecord result={result} title={t("one")}>
      {(webhook) => webhook && <Known webhook={webhook} />}
    </ReadRecord>
  );
}

function Known({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const { id, title, url, event, status, token_prefix, token_last4, created_at, disabled_at } = webhook;
  const endsAt = webhook.previous_token_expires_at;
  const mayWrite = useMay("webhooks:write");
  return (
    <Record
      trail={<Breadcrumb href="/webhooks" list={t("title")} here={title} />}
      title={title}
      status={<WebhookStatusWord status={status} />}
      actions={mayWrite && <Actions webhook={webhook} />}
      aside={
        <Section title={t("facts")} className="max-lg:order-first">
          <Facts
            rows={[
              [t("url"), <Copyable key="url" text={url} />],
              [
                t("event"),
                <span key="event" className="grid">
                  {t(`events.${event}`)}
                  <AccountLink href="/webhooks/sent" className="w-fit text-caption underline underline-offset-4">
                    {t("whatIsSent")}
                  </AccountLink>
                </span>,
              ],
              [
                t("token"),
                <span key="token" className="flex flex-wrap items-center justify-between gap-x-3">
                  <code className="font-mono text-caption">
                    {token_prefix}…{token_last4}
                  </code>
                  {mayWrite && (
                    <Opens dialog={RotateSecret} webhook={webhook} look="quiet" size="small">
                      {t("rotate.open")}
                    </Opens>
                  )}
                </span>,
              ],
              endsAt ? [t("rotate.until"), <Time key="until" at={endsAt} absolute real />] : null,
              [t("createdAt"), <Time key="created" at={created_at} absolute real />],
              disabled_at ? [t("disabledAt"), <Time key="disabled" at={disabled_at} absolute real />] : null,
            ]}
          />
        </Section>
      }
      timeline={<RecordTimeline subject="webhook" id={String(id)} record={webhook} />}
      raw={webhook}
    >
      <LastReplay id={String(id)} />
      <Deliveries id={String(id)} />
    </Record>
  );
}

/** A button that opens a dialog of the webhook. */
function Opens({ dialog: Dialog, webhook, ...button }: Opened & Omit<ComponentProps<typeof Button>, "onClick">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && <Dialog webhook={webhook} onClose={() => setOpen(false)} />}
    </>
  );
}

type Opened = { dialog: ComponentType<{ webhook: Webhook; onClose: () => void }>; webhook: Webhook };

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const api = useApi();
  return (
    <div className="flex flex-wrap gap-2">
      <Opens dialog={TestWebhook} webhook={webhook}>
        {t("test.open")}
      </Opens>
      {webhook.status !== "disabled" && (
        <Opens dialog={ReplayPeriod} webhook={webhook}>
          {t("replay.open")}
        </Opens>
      )}
      <DetailActions
        edit={t("edit")}
        editor={(onClose) => <Editor webhook={webhook} onClose={onClose} />}
        end={{
          children: t("remove"),
          title: t("removeNamed", { name: webhook.title }),
          help: t("removeHelp"),
          action: t("removeNow"),
          act: () => api.delete(`/api/partner/v1/webhooks/${webhook.id}`),
          done: t("removed"),
          refresh: [api.account, "webhooks", "list"],
          list: "/webhooks",
        }}
      />
    </div>
  );
}
