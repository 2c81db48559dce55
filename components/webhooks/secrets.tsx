"use client";
import { useTranslations } from "use-intl";
import { SecretsDialog } from "@/components/ui/secret";
import { eventGroups } from "@/components/webhooks/events";
import type { WebhookEvent } from "@/lib/webhooks/schema";

/** What a receiver does with the token in the calls of an event: the cash contract has the token itself, the old one none of it. */
const useOf = (event: WebhookEvent) =>
  event === "cashin_legacy"
    ? "legacy"
    : (eventGroups.pix as readonly WebhookEvent[]).includes(event)
      ? "cash"
      : "event";

type Props = { title: string; once: string; token: string; secret: string; event: WebhookEvent; onClose: () => void };

/** A webhook's signing secret in both of its forms, which is shown once. */
export function WebhookSecrets({ title, once, token, secret, event, onClose }: Props) {
  const t = useTranslations("webhooks");
  return (
    <SecretsDialog
      title={title}
      once={once}
      rows={[
        [t("token"), token, t(`tokenHelp.${useOf(event)}`)],
        [t("secret"), secret, t("secretHelp")],
      ]}
      kept={t("kept")}
      onClose={onClose}
    />
  );
}
