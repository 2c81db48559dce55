"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { cents, documentNumber } from "@/components/format";
import { Copyable } from "@/components/ui/copy";
import { Money } from "@/components/ui/money";
import { Facts, Section } from "@/components/ui/page";
import { SumTable } from "@/components/ui/sum-table";
import { Time } from "@/components/ui/time";
import type { Dispute } from "@/lib/disputes/schema";

/** What is at stake, or what it came to. */
export function Stake({ dispute }: { dispute: Dispute }) {
  const t = useTranslations("disputes.stake");
  const { status, amount, blocked_amount, lost_amount, fee } = dispute;
  const isOpen = status === "open";
  const hasFee = cents(fee) > 0 && status !== "won" && status !== "cancelled";
  const sum = status === "lost" ? cents(lost_amount) + cents(fee) : cents(amount) + cents(fee);
  return (
    <Section title={t("title")}>
      <SumTable
        caption={t("title")}
        lines={[
          [t("amount"), <Money key="amount" cents={cents(amount)} />],
          ...(isOpen ? ([[t("blocked"), <Money key="blocked" cents={cents(blocked_amount)} />]] as const) : []),
          ...(status === "lost" ? ([[t("lost"), <Money key="lost" cents={cents(lost_amount)} />]] as const) : []),
          ...(hasFee ? ([[t("fee"), <Money key="fee" cents={cents(fee)} />]] as const) : []),
        ]}
        sum={[
          t(isOpen ? "ifLost" : status === "lost" ? "paid" : "returned"),
          <Money key="sum" cents={isOpen || status === "lost" ? sum : cents(amount)} />,
        ]}
      />
      {isOpen && cents(blocked_amount) < cents(amount) && <p className="mt-3 max-w-[64ch] text-muted">{t("short")}</p>}
    </Section>
  );
}

/** What the dispute is, and of which sale; `sale` leads to it. */
export function DisputeFacts({ dispute, sale }: { dispute: Dispute; sale: ReactNode }) {
  const t = useTranslations("disputes");
  const { transaction } = dispute;
  const { client } = transaction;
  return (
    <>
      <Section title={t("facts.title")}>
        <Facts
          rows={[
            [t("facts.code"), <Copyable key="code" text={dispute.code} label={t("copyCode")} />],
            [t("facts.kind"), t(`kinds.${dispute.kind}`)],
            [t("columns.reason"), t(`reasons.${dispute.reason}`)],
            [t("facts.opened"), <Time key="opened" at={dispute.opened_at} absolute />],
            [t("columns.deadline"), <Time key="deadline" at={dispute.deadline} absolute />],
            dispute.ended_at !== null && [t("facts.ended"), <Time key="ended" at={dispute.ended_at} absolute />],
          ]}
        />
      </Section>
      <Section title={t("sale.title")}>
        <Facts
          rows={[
            [t("sale.one"), sale],
            [t("sale.amount"), <Money key="amount" cents={cents(transaction.amount)} />],
            transaction.paid_at !== null && [t("sale.paid"), <Time key="paid" at={transaction.paid_at} absolute />],
            transaction.product.name !== null && [t("sale.product"), transaction.product.name],
            client.name !== null && [t("sale.client"), client.name],
            client.document !== null && [t("sale.document"), documentNumber(client.document)],
            client.email !== null && [t("sale.email"), client.email],
            transaction.end_to_end_id !== null && [
              t("sale.endToEnd"),
              <Copyable key="e2e" text={transaction.end_to_end_id} />,
            ],
          ]}
        />
      </Section>
    </>
  );
}
