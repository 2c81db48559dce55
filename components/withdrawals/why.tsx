"use client";
import { clsx } from "clsx";
import { useTranslations } from "use-intl";
import { cents, useDates, useNumbers } from "@/components/format";
import type { WithdrawalDetail } from "@/lib/withdrawals/schema";

const edges = {
  awaiting_approval: "border-warn",
  requested: "border-info",
  sending: "border-info",
  accepted: "border-info",
  failed: "border-bad",
  cancelled: "border-muted",
  lapsed: "border-muted",
} as const;

/** What a withdrawal holds and why, or what became of what it held. One that was paid says it by its figures. */
export function Why({ withdrawal }: { withdrawal: WithdrawalDetail }) {
  const t = useTranslations("withdrawals");
  const { money } = useNumbers();
  const { until } = useDates();
  const { status, total, lapses_at, is_stopped, failure_reason } = withdrawal;
  if (status === "paid" || status === "returned") return null;
  const why = status === "requested" && is_stopped ? "stopped" : status;
  const values = { total: money(cents(total)), until: lapses_at ? until(lapses_at) : "" };
  return (
    <section
      aria-label={t(`status.${status}`)}
      className={clsx("mb-8 grid gap-1 border-l-2 bg-surface px-4 py-3", edges[status])}
    >
      <p>{t(`why.${why}`, values)}</p>
      {failure_reason && <p className="wrap-anywhere text-muted">{failure_reason}</p>}
    </section>
  );
}
