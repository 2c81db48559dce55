"use client";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/page";
import type { Overview } from "@/lib/dashboard/schema";

/** The balance as a statement: its parts, a rule, their sum. */
export function Balance({ balance }: { balance: Overview["balance"] }) {
  const t = useTranslations("balance");
  const parts = [
    ["available", cents(balance.balance)],
    ["pending", cents(balance.pending)],
    ["blocked", cents(balance.blocked)],
  ] as const;
  const total = parts.reduce((sum, [, amount]) => sum + amount, 0);
  return (
    <Section title={t("title")}>
      <dl className="grid gap-3 tabular-nums">
        {parts.map(([key, amount]) => (
          <div key={key} className="flex items-start justify-between gap-4">
            <dt className="grid">
              {t(key)}
              <span className="text-caption text-muted">{t(`${key}Help`)}</span>
            </dt>
            <dd className={key === "available" ? "font-semibold" : undefined}>
              <Money cents={amount} />
            </dd>
          </div>
        ))}
        <div className="rule-sum flex justify-between gap-4 py-2 font-semibold">
          <dt>{t("total")}</dt>
          <dd>
            <Money cents={total} />
          </dd>
        </div>
      </dl>
    </Section>
  );
}
