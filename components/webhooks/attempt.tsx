"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { CodeBlock } from "@/components/ui/code";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { Delivery } from "@/lib/webhooks/schema";

type AttemptFacts = Delivery["attempts"][number];

/** One attempt at a delivery. */
export function Attempt({ attempt }: { attempt: AttemptFacts }) {
  const t = useTranslations("deliveries");
  return (
    <Exchange
      exchange={attempt}
      title={<span className="font-semibold">{t("attempt", { number: String(attempt.attempt) })}</span>}
    >
      <span className="text-muted">
        <Time at={attempt.created_at} absolute real />
      </span>
    </Exchange>
  );
}

type ExchangeProps = {
  exchange: Omit<AttemptFacts, "attempt" | "created_at">;
  title?: ReactNode;
  children?: ReactNode;
};

/** What a receiver was sent and what it said: the result, the body that we sent, and the answer. */
export function Exchange({ exchange, title, children }: ExchangeProps) {
  const t = useTranslations("deliveries");
  const { response_status, error, duration_ms, request_body, response_body } = exchange;
  return (
    <section className="grid gap-3">
      <h3 className="flex flex-wrap items-center gap-x-4 gap-y-1 text-caption">
        {title}
        <Status tone={error ? "bad" : "good"}>{error ? t(`errors.${error}`) : t("accepted")}</Status>
        {response_status !== null && <span>HTTP {response_status}</span>}
        <span className="text-muted">{t("took", { ms: String(duration_ms) })}</span>
        {children}
      </h3>
      <div className="grid gap-3 xl:grid-cols-2">
        <Body title={t("sent")} text={request_body} />
        <Body title={t("answered")} text={response_body} />
      </div>
    </section>
  );
}

function Body({ title, text }: { title: string; text: string | null }) {
  const t = useTranslations("deliveries");
  return (
    <div className="grid min-w-0 content-start gap-1">
      <p className="text-caption text-muted">{title}</p>
      <CodeBlock className="max-h-64">{pretty(text) || t("nothing")}</CodeBlock>
    </div>
  );
}

/** JSON with line breaks; any other text unchanged. */
function pretty(text: string | null): string {
  try {
    return JSON.stringify(JSON.parse(text ?? ""), null, 2);
  } catch {
    return text ?? "";
  }
}
