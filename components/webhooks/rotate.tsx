"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { RadioField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { WebhookSecrets } from "@/components/webhooks/secrets";
import type { RotatedSecret, Webhook } from "@/lib/webhooks/schema";

type Values = { when: "later" | "now" };

/** Gives a webhook a new signing secret and shows it once; the former is used for another day, or ends at once. */
export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTranslations("webhooks.rotate");
  const api = useApi();
  const defaultValues: Values = { when: "later" };
  const form = useApiForm({
    schema: () => import("@/lib/webhooks/schema").then(({ RotateInput }) => RotateInput),
    defaultValues,
    body: ({ when }) => ({ immediately: when === "now" }),
    send: (body) => api.post<RotatedSecret>(`/api/partner/v1/webhooks/${webhook.id}/rotate-secret`, body),
    refresh: [api.account, "webhooks"],
  });
  if (form.answer) {
    const { token, secret, previous_token_expires_at: endsAt } = form.answer;
    return (
      <WebhookSecrets
        title={t("done")}
        once={t(endsAt ? "onceLater" : "onceNow")}
        {...{ token, secret }}
        event={webhook.event}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog form={form} title={t("title")} description={t("help")} action={t("action")} onClose={onClose}>
      <RadioField
        form={form}
        name="when"
        label={t("when")}
        options={[
          ["later", t("later")],
          ["now", t("now")],
        ]}
      />
    </FormDialog>
  );
}
