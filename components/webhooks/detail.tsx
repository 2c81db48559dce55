"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/error-text";
import { useApi, useMay } from "@/components/frame/account";
import { AccountLink, useAccountPath } from "@/components/frame/link";
import { Button } from "@/components/ui/button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Facts, Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { Deliveries } from "@/components/webhooks/deliveries";
import { WebhookStatusWord } from "@/components/webhooks/status";
import type { Webhook } from "@/lib/webhooks/schema";

const Editor = lazyWindow(() => import("@/components/webhooks/editor").then((module) => module.WebhookEditor));
const Confirm = lazyWindow(() => import("@/components/ui/confirm").then((module) => module.Confirm));

export function WebhookDetail({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const { id, title, url, event, status, token_prefix, token_last4, created_at, disabled_at } = webhook;
  const mayWrite = useMay("webhooks:write");
  return (
    <>
      <nav aria-label={t("path")} className="mb-4 flex items-center gap-1 text-caption text-muted">
        <AccountLink href="/webhooks" className="underline-offset-4 hover:text-ink hover:underline">
          {t("title")}
        </AccountLink>
        <ChevronRight aria-hidden="true" className="size-3.5" />
        <span aria-current="page">{title}</span>
      </nav>
      <header className="mb-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="grid min-w-0 gap-1">
          <h1 className="font-semibold text-title tracking-[-0.01em]">{title}</h1>
          <p className="flex flex-wrap items-center gap-x-4">
            <WebhookStatusWord status={status} />
          </p>
        </div>
        {mayWrite && <Actions webhook={webhook} />}
      </header>
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(260px,1fr)]">
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
      </div>
    </>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const api = useApi();
  const to = useAccountPath();
  const client = useQueryClient();
  const errorText = useErrorText();
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  const close = () => setOpen(null);
  const remove = useMutation({
    mutationFn: () => api.delete(`/api/partner/v1/webhooks/${webhook.id}`),
    async onSuccess() {
      toast(t("removed"));
      await client.invalidateQueries({ queryKey: [api.account, "webhooks", "list"] });
      router.push(to("/webhooks"));
    },
    onError(error) {
      toast(errorText(error), "bad");
      close();
    },
  });
  return (
    <div className="flex gap-2">
      <Button onClick={() => setOpen("edit")}>{t("edit")}</Button>
      <Button look="quiet" onClick={() => setOpen("remove")}>
        {t("remove")}
      </Button>
      {open === "edit" && <Editor webhook={webhook} onClose={close} />}
      {open === "remove" && (
        <Confirm
          title={t("removeNamed", { name: webhook.title })}
          action={t("removeNow")}
          busy={remove.isPending || remove.isSuccess}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          {t("removeHelp")}
        </Confirm>
      )}
    </div>
  );
}
