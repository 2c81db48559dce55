"use client";
import { useTranslations } from "use-intl";
import type { MailRecord, MailStatus } from "@/components/operator/mail-queries";
import { Status, type Tone } from "@/components/ui/status";

const tones: Record<MailStatus, Tone> = { pending: "info", sent: "good", failed: "warn", exhausted: "bad" };

/** A mail's status. One that only the inbox has was sent to nobody. */
export function MailStatusWord({ mail: { status, sent_by } }: { mail: Pick<MailRecord, "status" | "sent_by"> }) {
  const t = useTranslations("mails");
  if (sent_by === "inbox") return <Status tone="muted">{t("inInbox")}</Status>;
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}

/** What a template is about, or its name where this version does not know it. A test asks for a name of each. */
export function useTemplateName() {
  const t = useTranslations("mails");
  return (template: string) => {
    const key = `templates.${template}` as "templates.split_invited";
    return t.has(key) ? t(key) : template;
  };
}
