"use client";
import { useTranslations } from "use-intl";
import type { MailRecord, MailStatus } from "@/components/operator/mail-queries";
import { Status, type Tone } from "@/components/ui/status";

const tones: Record<MailStatus, Tone> = { pending: "info", sent: "good", failed: "warn", exhausted: "bad" };

/** A mail's status. One that only the inbox has was sent to nobody. */
export function MailStatusWord({ mail: { status, sent_by } }: { mail: Pick<MailRecord, "status" | "sent_by"> }) {
  const t = useTranslations("mails");
  return <Status tone={tones[status]}>{t(sent_by === "inbox" ? "inInbox" : `status.${status}`)}</Status>;
}

/** What a template is about, or its name where this version does not know it. */
export function useTemplateName() {
  const t = useTranslations("mails");
  return (template: string) => (isKnown(template) ? t(`templates.${template}`) : template);
}

const known = {
  split_invited: 1,
  split_accepted: 1,
  split_cancelled: 1,
  link_paid: 1,
  confirm_address: 1,
  reset_password: 1,
  password_changed: 1,
  address_already_known: 1,
  webhook_failing: 1,
  webhook_disabled: 1,
};
const isKnown = (template: string): template is keyof typeof known => Object.hasOwn(known, template);
