"use client";
import { useTranslations } from "use-intl";
import { cents, useNumbers } from "@/components/format";
import { useMaySeeRefunds } from "@/components/refunds/may-see";
import { ButtonLink } from "@/components/ui/button-link";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/page";
import { useMaySeeWithdrawals } from "@/components/withdrawals/may-see";
import type { Overview } from "@/lib/dashboard/schema";

type Refunds = { refunds: Overview["refunds"] };

/** Why money is blocked: the account's refunds, which a page lists, and its parts of sales that others refund. */
function Blocked({ refunds: { open, held, shares } }: Refunds) {
  const t = useTranslations("balance");
  const { money } = useNumbers();
  const maySee = useMaySeeRefunds();
  const text =
    held === null ? t("manyRefunds", { count: open }) : t("refunds", { count: open, amount: money(cents(held)) });
  return (
    <>
      {open > 0 && (
        <span className="block">
          {maySee ? (
            <AccountLink href="/refunds?status=open" className="underline underline-offset-4">
              {text}
            </AccountLink>
          ) : (
            text
          )}
        </span>
      )}
      {shares !== null && cents(shares) > 0 && (
        <span className="block">{t("refundedShares", { amount: money(cents(shares)) })}</span>
      )}
    </>
  );
}

/** Where the withdrawals are that hold money. */
function Held() {
  const t = useTranslations("balance");
  return useMaySeeWithdrawals() ? (
    <AccountLink href="/withdrawals?status=open" className="underline underline-offset-4">
      {t("heldHelp")}
    </AccountLink>
  ) : (
    t("heldHelp")
  );
}

/** The way to withdraw what is available. */
function Withdraw({ available }: { available: number }) {
  const t = useTranslations("balance");
  const mayWithdraw = useMaySeeWithdrawals("withdrawals:write");
  if (!mayWithdraw || available <= 0) return null;
  return (
    <ButtonLink size="small" href="/withdrawals/new">
      {t("withdraw")}
    </ButtonLink>
  );
}

/** The balance as a statement: its parts, a rule, their sum. */
export function Balance({ overview: { balance, refunds } }: { overview: Overview }) {
  const t = useTranslations("balance");
  const parts = [
    ["available", cents(balance.balance)],
    ["pending", cents(balance.pending)],
    ["blocked", cents(balance.blocked)],
    ["held", cents(balance.held)],
  ] as const;
  const total = parts.reduce((sum, [, amount]) => sum + amount, 0);
  return (
    <Section title={t("title")} aside={<Withdraw available={cents(balance.balance)} />}>
      <dl className="grid gap-3 tabular-nums">
        {parts.map(([key, amount]) => (
          <div key={key} className="flex items-start justify-between gap-4">
            <dt className="grid">
              {t(key)}
              <span className="text-caption text-muted">
                {key === "blocked" && amount > 0 ? (
                  <Blocked refunds={refunds} />
                ) : key === "held" && amount > 0 ? (
                  <Held />
                ) : (
                  t(`${key}Help`)
                )}
              </span>
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
