"use client";
import { useTranslations } from "use-intl";
import { useApi, useSession } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { Field, Select } from "@/components/ui/field";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { eventGroups, groupNames } from "@/components/webhooks/events";
import { WebhookSecrets } from "@/components/webhooks/secrets";
import type { ChangedWebhook, CreatedWebhook, Webhook, WebhookEvent } from "@/lib/webhooks/schema";
import { isOtherOrigin } from "@/lib/webhooks/states";

type Values = { title: string; url: string; event: WebhookEvent };

const hasToken = (saved: ChangedWebhook): saved is CreatedWebhook => saved.token !== undefined;

/** Makes a webhook and shows its token once, or changes one. An address of another origin gets a new token. */
export function WebhookEditor({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const t = useTranslations("webhooks");
  const api = useApi();
  const { mode } = useSession().account;
  const defaultValues: Values = {
    title: webhook?.title ?? "",
    url: webhook?.url ?? "",
    event: webhook?.event ?? "transaction",
  };
  const form = useApiForm({
    schema: () => import("@/lib/webhooks/schema").then(({ WebhookInput }) => WebhookInput),
    defaultValues,
    send: (body) =>
      webhook
        ? api.put<ChangedWebhook>(`/api/partner/v1/webhooks/${webhook.id}`, body)
        : api.post<ChangedWebhook>("/api/partner/v1/webhooks", body),
    fieldOf: { webhook_url_not_allowed: "url" },
    refresh: [api.account, "webhooks"],
    ...(webhook && { done: t("saved") }),
    onSuccess: (saved) => hasToken(saved) || onClose(),
  });
  if (form.answer && hasToken(form.answer)) {
    const { token, secret, event } = form.answer;
    const title = t(webhook ? "movedTitle" : "createdTitle");
    return <WebhookSecrets {...{ title, token, secret, event }} once={t("once")} onClose={onClose} />;
  }
  const moves = webhook !== undefined && isOtherOrigin(webhook.url, form.watch("url").trim());
  return (
    <FormDialog
      form={form}
      title={webhook ? t("edit") : t("new")}
      action={webhook ? t("save") : t("create")}
      onClose={onClose}
    >
      <TextField form={form} name="title" label={t("name")} help={t("nameHelp")} fault={t("faults.title")} />
      <TextField
        form={form}
        name="url"
        label={t("url")}
        help={moves ? t("urlMoves") : mode === "sandbox" ? t("urlHelpSandbox") : t("urlHelp")}
        fault={t(mode === "sandbox" ? "faults.urlSandbox" : "faults.url")}
        inputMode="url"
        placeholder="https://"
      />
      <Field label={t("event")} help={t("eventHelp")} error={form.faultOf("event") && t("faults.event")}>
        {(wiring) => (
          <Select {...wiring} {...form.register("event")}>
            {groupNames.map((group) => (
              <optgroup key={group} label={t(`groups.${group}`)}>
                {eventGroups[group].map((event) => (
                  <option key={event} value={event}>
                    {t(`events.${event}`)}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
        )}
      </Field>
    </FormDialog>
  );
}
