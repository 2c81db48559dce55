"use client";
import { Check, Clock } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { cents, useDates, useNumbers } from "@/components/format";
import type { TransactionDetail } from "@/components/transactions/queries";
import { ButtonLink } from "@/components/ui/button-link";
import { Money } from "@/components/ui/money";
import { Figure } from "@/components/ui/page";

/** "Pago", in place of the code. */
export function PaidDeposit({ detail }: { detail: TransactionDetail }) {
  const { money } = useNumbers();
  const t = useTranslations("deposits");
  const { full } = useDates();
  const { transaction, breakdown } = detail;
  return (
    <Ended
      mark={<Check aria-hidden="true" className="size-6" strokeWidth={2.25} />}
      tone="bg-accent text-on-accent"
      detail={detail}
      label={transaction.paid_at ? t("paidAt", { time: full(transaction.paid_at) }) : t("paidTitle")}
      note={t("youReceive", { amount: money(cents(breakdown.net)) })}
    />
  );
}

export function ExpiredDeposit({ detail }: { detail: TransactionDetail }) {
  const t = useTranslations("deposits");
  const { until } = useDates();
  return (
    <Ended
      mark={<Clock aria-hidden="true" className="size-6" />}
      tone="border border-muted text-muted"
      detail={detail}
      label={detail.expires_at ? t("expiredAt", { time: until(detail.expires_at) }) : t("expiredTitle")}
      note={t("expiredHelp")}
    />
  );
}

type Props = { mark: ReactNode; tone: string; label: string; note: string; detail: TransactionDetail };

function Ended({ mark, tone, label, note, detail: { transaction } }: Props) {
  const t = useTranslations("deposits");
  return (
    <div className="enter grid max-w-[440px] gap-6">
      <span className={`grid size-12 place-items-center rounded-full ${tone}`}>{mark}</span>
      <Figure label={label} note={note}>
        <Money cents={cents(transaction.amount)} />
      </Figure>
      {transaction.description && <p>{transaction.description}</p>}
      <div className="flex flex-wrap gap-2 border-t pt-4">
        <ButtonLink look="primary" href="/charges/new">
          {t("another")}
        </ButtonLink>
        <ButtonLink look="quiet" href={`/transactions/${transaction.reference_id}`}>
          {t("details")}
        </ButtonLink>
      </div>
    </div>
  );
}
