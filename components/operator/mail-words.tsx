"use client";
import { useTranslations } from "use-intl";
import type { MailStatus } from "@/components/operator/mail-queries";
import { Status, type Tone } from "@/components/ui/status";

const tones: Record<MailStatus, Tone> = {
  pending: "info",
  sent: "good",
  kept: "muted",
  failed: "warn",
  exhausted: "bad",
};

export function MailStatusWord({ status }: { status: MailStatus }) {
  const t = useTranslations("mails");
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
