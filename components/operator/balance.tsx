"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { useStaffMay } from "@/components/operator/person";
import type { SellerDetail } from "@/components/operator/queries";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/page";
import { PageLink } from "@/components/ui/page-link";
import { SumTable } from "@/components/ui/sum-table";

const Adjust = lazyWindow(() => import("@/components/operator/adjust").then((module) => module.Adjust));

/** What a seller has, which the staff may adjust, and the way to its sales. */
export function SellerBalance({ seller }: { seller: SellerDetail }) {
  const t = useTranslations("operator.adjust");
  const words = useTranslations("balance");
  const mayAdjust = useStaffMay("money:write");
  const [adjusting, setAdjusting] = useState(false);
  const { balance, pending, blocked, held } = seller.balance;
  const parts = [
    ["available", cents(balance)],
    ["pending", cents(pending)],
    ["blocked", cents(blocked)],
    ["held", cents(held)],
  ] as const;
  return (
    <Section
      title={words("title")}
      aside={mayAdjust && <Button onClick={() => setAdjusting(true)}>{t("open")}</Button>}
    >
      <SumTable
        caption={words("title")}
        lines={parts.map(([part, amount]) => [words(part), <Money key={part} cents={amount} />] as const)}
        sum={[words("total"), <Money key="total" cents={parts.reduce((sum, [, amount]) => sum + amount, 0)} />]}
      />
      <PageLink
        href={`/operator/accounts/${seller.id}/transactions`}
        className="mt-4 inline-block underline underline-offset-4"
      >
        {t("sales")}
      </PageLink>
      {adjusting && <Adjust seller={seller} onClose={() => setAdjusting(false)} />}
    </Section>
  );
}
