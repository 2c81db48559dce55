"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents, documentNumber } from "@/components/format";
import { Back } from "@/components/operator/back";
import { useStaffMay } from "@/components/operator/person";
import { SellerLink } from "@/components/operator/seller-link";
import { staffWithdrawalQuery } from "@/components/operator/withdrawal-queries";
import { ReadRecord, Record } from "@/components/record/record";
import { ReviewedTimeline } from "@/components/timeline/timeline";
import { Button } from "@/components/ui/button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Money } from "@/components/ui/money";
import { Facts, Section } from "@/components/ui/page";
import { SumTable } from "@/components/ui/sum-table";
import { Time } from "@/components/ui/time";
import { keyText } from "@/components/withdrawals/key";
import { WithdrawalStatusWord } from "@/components/withdrawals/status";
import type { StaffWithdrawal } from "@/lib/withdrawals/schema";
import { openWithdrawals } from "@/lib/withdrawals/states";

const GiveUp = lazyWindow(() => import("@/components/operator/withdrawal-give-up").then((module) => module.GiveUp));

/** One withdrawal for who decides about it: what is known of it, by whom, and all that happened. */
export function StaffWithdrawalPage({ account, id }: { account: string; id: string }) {
  const t = useTranslations("payouts");
  const result = useQuery(staffWithdrawalQuery(account, id));
  return (
    <>
      <Back href="/operator/withdrawals">{t("title")}</Back>
      <ReadRecord result={result} title={t("one")}>
        {({ data }) => <Known known={data} />}
      </ReadRecord>
    </>
  );
}

function Known({ known }: { known: StaffWithdrawal }) {
  const t = useTranslations("payouts");
  const words = useTranslations("withdrawals");
  const { withdrawal, account } = known;
  const { reference_id: id, status, amount, fee, total } = withdrawal;
  const isOpen = openWithdrawals.some((open) => open === status);
  return (
    <Record
      title={<Money cents={cents(amount)} className="text-figure tracking-[-0.02em]" />}
      status={
        <>
          <WithdrawalStatusWord status={status} />
          <span className="wrap-anywhere min-w-0">{account.name}</span>
          <span className="text-muted">
            {t("asked")} <Time at={withdrawal.created_at} />
          </span>
        </>
      }
      actions={<Decision known={known} />}
      aside={<KnownFacts known={known} />}
      timeline={<ReviewedTimeline seller={account.id} subject="withdrawal" id={id} record={known} />}
    >
      <Section title={words("cost")}>
        <SumTable
          caption={words("cost")}
          lines={[
            [words("receives"), <Money key="amount" cents={cents(amount)} />],
            [words("fee"), <Money key="fee" cents={cents(fee)} />],
          ]}
          sum={[t(isOpen ? "held" : "total"), <Money key="total" cents={cents(total)} />]}
        />
      </Section>
    </Record>
  );
}

/** What may be decided: to give up what the rail does not know. The rail is asked once more before. */
function Decision({ known }: { known: StaffWithdrawal }) {
  const t = useTranslations("payouts.giveUp");
  const [deciding, setDeciding] = useState(false);
  const mayDecide = useStaffMay("money:write");
  const { status } = known.withdrawal;
  if (!mayDecide || (status !== "sending" && status !== "accepted")) return null;
  return (
    <>
      <Button look="danger" onClick={() => setDeciding(true)}>
        {t("open")}
      </Button>
      {deciding && <GiveUp known={known} onClose={() => setDeciding(false)} />}
    </>
  );
}

function KnownFacts({ known: { withdrawal, account } }: { known: StaffWithdrawal }) {
  const operator = useTranslations("operator");
  const t = useTranslations("payouts");
  const words = useTranslations("withdrawals");
  const { pix_key_type: type, pix_key: key } = withdrawal;
  const at = (name: "sent" | "accepted" | "paid" | "ended", time: string | null) =>
    time !== null && ([words(`facts.${name}`), <Time key={name} at={time} absolute />] as const);
  return (
    <>
      <Section title={t("whose")}>
        <Facts
          rows={[
            [
              t("columns.seller"),
              <SellerLink key="account" id={account.id}>
                {account.name}
              </SellerLink>,
            ],
            [operator("mode"), operator(`modes.${account.mode}`)],
          ]}
        />
      </Section>
      <Section title={words("payee.title")}>
        <Facts
          rows={[
            [words("payee.name"), withdrawal.owner_name ?? words("payee.untold")],
            [words("payee.document"), documentNumber(withdrawal.document)],
            [words("payee.key"), `${words(`keyTypes.${type}`)} ${keyText({ type, key })}`],
          ]}
        />
      </Section>
      <Section title={words("facts.title")}>
        <Facts
          rows={[
            [words("facts.id"), <Copyable key="id" text={withdrawal.reference_id} label={words("copyId")} />],
            withdrawal.end_to_end_id !== null && [
              words("facts.endToEnd"),
              <Copyable key="e2e" text={withdrawal.end_to_end_id} />,
            ],
            at("sent", withdrawal.sent_at),
            at("accepted", withdrawal.accepted_at),
            at("paid", withdrawal.paid_at),
            at("ended", withdrawal.failed_at ?? withdrawal.cancelled_at),
            withdrawal.failure_reason !== null && [t("said"), withdrawal.failure_reason],
          ]}
        />
      </Section>
    </>
  );
}
