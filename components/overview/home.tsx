"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "use-intl";
import { useApi, useMay, useMaySell } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { Attention } from "@/components/overview/attention";
import { Balance } from "@/components/overview/balance";
import { Checklist, isSetUp } from "@/components/overview/checklist";
import { overviewQuery } from "@/components/overview/queries";
import { RecipientBoard } from "@/components/overview/recipient";
import { HomeSkeleton } from "@/components/overview/skeleton";
import { VolumeChart } from "@/components/overview/volume-chart";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Loaded } from "@/components/ui/loaded";
import { Money } from "@/components/ui/money";
import { Figure, PageHead } from "@/components/ui/page";
import type { Overview } from "@/lib/dashboard/schema";

export function Home() {
  const t = useTranslations("home");
  const result = useQuery(overviewQuery(useApi().account));
  const mayDeposit = useMay("transactions:write");
  const recipient = result.data?.data.recipient;
  return (
    <>
      <PageHead title={t("title")} action={mayDeposit && !recipient && <NewDeposit />} />
      <Loaded result={result} skeleton={<HomeSkeleton />}>
        {({ data }) =>
          data.recipient ? <RecipientBoard overview={data} recipient={data.recipient} /> : <Board overview={data} />
        }
      </Loaded>
    </>
  );
}

function NewDeposit() {
  const t = useTranslations("home");
  const content = (
    <>
      <Plus aria-hidden="true" />
      {t("newDeposit")}
    </>
  );
  if (!useMaySell()) {
    return (
      <Button look="primary" disabled>
        {content}
      </Button>
    );
  }
  return (
    <ButtonLink look="primary" href="/charges/new">
      {content}
    </ButtonLink>
  );
}

function Board({ overview }: { overview: Overview }) {
  const { money } = useNumbers();
  const t = useTranslations("home");
  const { today, days, checklist } = overview;
  const yesterday = days.at(-2);
  const isNew = days.every(({ count }) => count === 0);
  const steps = !isSetUp(checklist) && <Checklist steps={checklist} />;
  return (
    <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]">
      <div className="grid gap-8 max-lg:contents">
        <div className="grid gap-5">
          <Figure
            label={t("paidToday")}
            note={
              <>
                {t("sales", { count: today.count })}
                {yesterday && !isNew && ` · ${t("yesterday", { amount: money(cents(yesterday.amount)) })}`}
              </>
            }
          >
            <Money cents={cents(today.amount)} />
          </Figure>
          <Attention overview={overview} />
        </div>
        <div className="max-lg:order-2">{isNew ? steps : <VolumeChart days={days} />}</div>
      </div>
      <div className="grid gap-8 max-lg:contents">
        <div className="max-lg:order-1">
          <Balance overview={overview} />
        </div>
        {!isNew && <div className="max-lg:order-3">{steps}</div>}
      </div>
    </div>
  );
}
