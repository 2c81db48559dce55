"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents, useNumbers } from "@/components/format";
import { allFeatures } from "@/components/operator/features";
import { useStaffMay } from "@/components/operator/person";
import type { SellerDetail, SellerMeta } from "@/components/operator/queries";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Facts, Section } from "@/components/ui/page";
import { withdrawalTerms } from "@/components/withdrawal-terms";
import { type FeeColumn, methodNames, methods } from "@/lib/methods/methods";

const SellerForm = lazyWindow(() => import("@/components/operator/form").then((module) => module.SellerForm));

/** What a seller may do, what it pays and its limits. Of one that waits, what its approval would give, where it is changed. */
export function SellerConditions({ seller, meta }: { seller: SellerDetail; meta: SellerMeta }) {
  const t = useTranslations("operator");
  const methodTexts = useTranslations("methods");
  const feeText = useFeeText();
  const { money } = useNumbers();
  const mayWrite = useStaffMay("accounts:write");
  const [changing, setChanging] = useState(false);
  const { features, status, terms } = seller;
  const names = allFeatures.filter((name) => features.includes(name)).map((name) => t(`featureNames.${name}`));
  return (
    <Section
      title={t("conditions")}
      aside={status !== "pending" && mayWrite && <Button onClick={() => setChanging(true)}>{t("change")}</Button>}
    >
      {status === "pending" && <p className="mb-4 text-muted">{t("conditionsWait")}</p>}
      <Facts
        rows={[
          [t("columns.features"), ["Pix", ...names].join(", ")],
          ...methodNames.map((name) => {
            const { column } = methods[name].fee;
            return [methodTexts(`${name}.fee`), feeText(terms[column])] as [string, string];
          }),
          [t("refundFee.name"), money(cents(terms.refund_fee))],
          [t("chargebackFee.name"), money(cents(terms.chargeback_fee))],
          ...withdrawalTerms.map(
            (name) => [t(`withdrawals.${name}.name`), money(cents(terms[name]))] as [string, string],
          ),
          [t("settlement.name"), t("settlement.value", { days: terms.card_settlement_days })],
          [t("storage.name"), t("storage.value", { mb: terms.storage_limit_mb })],
          [
            t("approvalAbove.name"),
            terms.approval_above === null ? t("approvalAbove.never") : money(cents(terms.approval_above)),
          ],
        ]}
      />
      {changing && <SellerForm seller={seller} meta={meta} onClose={() => setChanging(false)} />}
    </Section>
  );
}

/** "3,99% + R$ 0,39, no mínimo R$ 1,00". */
function useFeeText() {
  const t = useTranslations("operator.fees");
  const { money, percent } = useNumbers();
  return ({ percentage, fixed, minimum }: SellerDetail["terms"][FeeColumn]) => {
    if (percentage === null) return t("none");
    const text = [percent(percentage), ...(cents(fixed) > 0 ? [money(cents(fixed))] : [])].join(" + ");
    return cents(minimum) > 0 ? t("atLeast", { fee: text, minimum: money(cents(minimum)) }) : text;
  };
}
