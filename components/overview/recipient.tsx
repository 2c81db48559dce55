"use client";
import { useTranslations } from "use-intl";
import { cents, useDates } from "@/components/format";
import { Attention, Matter } from "@/components/overview/attention";
import { Balance } from "@/components/overview/balance";
import { useReturned } from "@/components/splits/earned";
import { ButtonLink } from "@/components/ui/button-link";
import { Money } from "@/components/ui/money";
import { Figure } from "@/components/ui/page";
import type { Overview } from "@/lib/dashboard/schema";

type Props = { overview: Overview; recipient: NonNullable<Overview["recipient"]> };

/** Home of an account that sells nothing and shares others' sales: what it earned, and the invites that wait. */
export function RecipientBoard({ overview, recipient: { waiting, accepted, month } }: Props) {
  const t = useTranslations("home.recipient");
  const dates = useDates();
  const note = [t("sales", { count: month.sales }), useReturned(month), t("accepted", { count: accepted })];
  return (
    <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]">
      <div className="grid gap-5">
        <Figure label={t("earned", { month: dates.month(month.month) })} note={note.filter(Boolean).join(" · ")}>
          <Money cents={cents(month.left)} />
        </Figure>
        {waiting > 0 && (
          <Matter href="/splits" tone="info">
            {t("waiting", { count: waiting })}
          </Matter>
        )}
        <Attention overview={overview} />
        <ButtonLink href="/splits/earnings" className="justify-self-start">
          {t("earnings")}
        </ButtonLink>
      </div>
      <Balance overview={overview} />
    </div>
  );
}
