"use client";
import { useTranslations } from "use-intl";
import { SendingRow } from "@/components/list/sending";
import type { TrackingAnswer } from "@/components/tracking/queries";
import { CodeBlock } from "@/components/ui/code";
import { AccountLink } from "@/components/ui/link";
import type { Tone } from "@/components/ui/status";

type Order = TrackingAnswer["data"]["orders"][number];

/** A sale that was sent to the tracking service, or is to be; opened, it shows what the service answered. */
export function OrderRow({ order }: { order: Order }) {
  const t = useTranslations("tracking");
  const words = useTranslations("status");
  const { reference_id, status, attempts, answer_status, answer, error, created_at, next_attempt_at } = order;
  return (
    <SendingRow
      title={<span className="font-medium">{t("order", { status: words(status) })}</span>}
      at={created_at}
      status={standing(order)}
      attempts={t("attempts", { count: attempts })}
      error={error && t(`errors.${error}`)}
      answered={answer_status}
      next={next_attempt_at !== null && attempts > 0 ? { text: t("next"), at: next_attempt_at } : null}
    >
      <AccountLink
        href={`/transactions/${reference_id}`}
        className="justify-self-start font-medium text-accent underline underline-offset-4"
      >
        {t("sale")}
      </AccountLink>
      {answer ? (
        <CodeBlock>{answer}</CodeBlock>
      ) : (
        <p className="text-muted">{t(attempts > 0 ? "noAnswer" : "noAttempt")}</p>
      )}
    </SendingRow>
  );

  function standing({ sent_at, next_attempt_at }: Order): { tone: Tone; text: string } {
    if (sent_at) return { tone: "good", text: t("sent") };
    return next_attempt_at ? { tone: "info", text: t("waiting") } : { tone: "bad", text: t("unsent") };
  }
}
