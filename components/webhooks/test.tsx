"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { Field, Select } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Exchange } from "@/components/webhooks/attempt";
import { namesOf } from "@/components/webhooks/events";
import { useKindName } from "@/components/webhooks/kind-name";
import type { TestedWebhook, Webhook } from "@/lib/webhooks/schema";

/** Sends a webhook an event that did not happen, and shows at once what its receiver said. */
export function TestWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTranslations("webhooks.test");
  const api = useApi();
  const kind = useKindName();
  const names = namesOf(webhook.event);
  const form = useApiForm({
    schema: () => import("@/lib/webhooks/schema").then(({ TestInput }) => TestInput),
    defaultValues: { event: names[0] ?? "" },
    send: (body) => api.post<TestedWebhook>(`/api/partner/v1/webhooks/${webhook.id}/test`, body),
  });
  return (
    <FormDialog form={form} title={t("title")} description={t("help")} action={t("send")} onClose={onClose}>
      <Field label={t("event")} error={form.faultOf("event") && t("fault")}>
        {(wiring) => (
          <Select {...wiring} {...form.register("event")}>
            {names.map((name) => (
              <option key={name} value={name}>
                {kind(name)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div role="status">{form.answer && !form.busy && <Answer answer={form.answer.data} />}</div>
    </FormDialog>
  );
}

function Answer({ answer }: { answer: TestedWebhook["data"] }) {
  const t = useTranslations("webhooks.test");
  return (
    <div className="grid gap-3 border-t pt-4">
      <Exchange exchange={answer} />
      <p className="text-caption text-muted">{t(answer.is_made_up ? "madeUp" : "latest")}</p>
    </div>
  );
}
