"use client";
import { ChevronRight } from "lucide-react";
import { useTranslations } from "use-intl";
import type { TrackingAnswer } from "@/components/tracking/queries";
import { CodeBlock } from "@/components/ui/code";
import { AccountLink } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";

type Order = TrackingAnswer["data"]["orders"][number];

/** A sale that was sent to the tracking service, or is to be; opened, it shows what the service answered. */
export function OrderRow({ order }: { order: Order }) {
  const t = useTranslations("tracking");
  const words = useTranslations("status");
  const { reference_id, status, attempts, answer_status, answer, error, created_at, sent_at, next_attempt_at } = order;
  return (
    <li className="border-t">
      <details className="group">
        <summary className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 py-3 transition-colors hover:bg-line/35">
          <ChevronRight aria-hidden="true" className="size-4 text-muted transition-transform group-open:rotate-90" />
          <span className="font-medium">{t("order", { status: words(status) })}</span>
          <span className="text-caption text-muted">
            <Time at={created_at} real />
          </span>
          <span className="col-start-2 flex flex-wrap items-center gap-x-4 text-caption text-muted">
            <span className="text-ink">
              <Status tone={sent_at ? "good" : next_attempt_at ? "info" : "bad"}>
                {t(sent_at ? "sent" : next_attempt_at ? "waiting" : "unsent")}
              </Status>
            </span>
            <span>{t("attempts", { count: attempts })}</span>
            {error && <span className="text-bad">{t(`errors.${error}`)}</span>}
            {answer_status !== null && <span>HTTP {answer_status}</span>}
            {next_attempt_at && attempts > 0 && (
              <span>
                {t("next")} <Time at={next_attempt_at} real />
              </span>
            )}
          </span>
        </summary>
        <div className="grid gap-3 pt-1 pb-6 pl-7 max-sm:pl-0">
          <AccountLink
            href={`/transactions/${reference_id}`}
            className="justify-self-start font-medium text-accent underline underline-offset-4"
          >
            {t("sale")}
          </AccountLink>
          {answer ? <CodeBlock>{answer}</CodeBlock> : <p className="text-muted">{t("noAnswer")}</p>}
        </div>
      </details>
    </li>
  );
}
