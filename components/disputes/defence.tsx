"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { Files } from "@/components/disputes/files";
import { Form, Submit, TextAreaField } from "@/components/ui/form";
import { Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { MAX_DEFENCE } from "@/lib/disputes/limits";
import type { DisputeDetail } from "@/lib/disputes/schema";

/** The defence: its form with its files, or what was sent. */
export function Defence({ dispute, mayWrite }: { dispute: DisputeDetail; mayWrite: boolean }) {
  const t = useTranslations("disputes.defence");
  const mayDefend = mayWrite && dispute.allowed_actions.includes("defend");
  return (
    <Section title={t("title")}>
      <div className="grid gap-6">
        {dispute.defence !== null && (
          <div className="grid gap-2">
            <p className="wrap-anywhere max-w-[72ch] whitespace-pre-line">{dispute.defence}</p>
            {dispute.defended_at !== null && (
              <p className="text-caption text-muted">
                {t("sent")} <Time at={dispute.defended_at} absolute />
              </p>
            )}
          </div>
        )}
        {dispute.defence === null && !mayDefend && <p className="text-muted">{t("none")}</p>}
        {mayDefend && <p className="max-w-[64ch] text-muted">{t("purpose")}</p>}
        <Files dispute={dispute} mayWrite={mayDefend} />
        {mayDefend && <DefenceForm code={dispute.code} />}
      </div>
    </Section>
  );
}

function DefenceForm({ code }: { code: string }) {
  const t = useTranslations("disputes.defence");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/disputes/schema").then(({ DefenceBody }) => DefenceBody),
    defaultValues: { text: "" },
    body: ({ text }) => ({ text }),
    send: (body) => api.post(`/api/partner/v1/disputes/${code}/defence`, body),
    refresh: [api.account],
    done: t("done"),
  });
  return (
    <Form form={form} className="max-w-[72ch]">
      <TextAreaField
        form={form}
        name="text"
        label={t("text")}
        help={t("textHelp")}
        fault={t("fault")}
        maxLength={MAX_DEFENCE}
      />
      <Submit form={form} busyText={t("sending")}>
        {t("send")}
      </Submit>
    </Form>
  );
}
