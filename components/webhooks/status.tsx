"use client";
import { useTranslations } from "use-intl";
import { Status, type Tone } from "@/components/ui/status";
import type { Webhook } from "@/lib/webhooks/schema";

const tones: Record<Webhook["status"], Tone> = { active: "good", failing: "warn", disabled: "bad" };

/** A webhook's status as a dot and a word. */
export function WebhookStatusWord({ status }: Pick<Webhook, "status">) {
  const t = useTranslations("webhooks");
  return <Status tone={tones[status]}>{t(status)}</Status>;
}
