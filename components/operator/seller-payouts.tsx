"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Place } from "@/components/operator/payouts";
import type { SellerDetail } from "@/components/operator/queries";
import { payoutsQuery } from "@/components/operator/withdrawal-queries";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";

/** Whether the payouts of one seller go, and the switch. */
export function SellerPayouts({ seller: { id, name } }: { seller: SellerDetail }) {
  const t = useTranslations("payoutStops");
  const result = useQuery(payoutsQuery);
  return (
    <Section title={t("account")}>
      <Loaded result={result} skeleton={<div className="h-16" />}>
        {({ data }) => <Place payouts={data} scope="account" target={id} name={name} />}
      </Loaded>
    </Section>
  );
}
