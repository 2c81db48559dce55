"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import type { SellerDetail } from "@/components/operator/queries";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Money } from "@/components/ui/money";
import { Facts, Section } from "@/components/ui/page";
import { PageLink } from "@/components/ui/page-link";

const Adjust = lazyWindow(() => import("@/components/operator/adjust").then((module) => module.Adjust));

/** What a seller has, which the staff may adjust, and the way to its sales. */
export function SellerBalance({ seller }: { seller: SellerDetail }) {
  const t = useTranslations("operator.adjust");
  const words = useTranslations("balance");
  const [adjusting, setAdjusting] = useState(false);
  const { balance } = seller;
  return (
    <Section title={t("title")} aside={<Button onClick={() => setAdjusting(true)}>{t("open")}</Button>}>
      <Facts
        rows={[
          [words("available"), <Money key="available" cents={cents(balance.balance)} />],
          [words("pending"), <Money key="pending" cents={cents(balance.pending)} />],
          [words("blocked"), <Money key="blocked" cents={cents(balance.blocked)} />],
        ]}
      />
      <PageLink
        href={`/operator/transactions?account=${seller.id}`}
        className="mt-4 inline-block underline underline-offset-4"
      >
        {t("sales")}
      </PageLink>
      {adjusting && <Adjust seller={seller} onClose={() => setAdjusting(false)} />}
    </Section>
  );
}
