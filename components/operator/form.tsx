"use client";
import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { type ApiForm, useApiForm } from "@/components/api-form";
import { allFeatures, FeatureChoice } from "@/components/operator/features";
import { NoProvider } from "@/components/operator/no-provider";
import { changeSeller, SELLERS, type SellerDetail, type SellerMeta } from "@/components/operator/queries";
import { SameDocument } from "@/components/operator/same-document";
import { decimalOf } from "@/components/splits/percentage";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { byTerm, withdrawalTerms } from "@/components/withdrawal-terms";
import { byFee, type FeeColumn, type MethodName, methodNames, methods } from "@/lib/methods/methods";
import { plain } from "@/lib/typed/text";
import type { Locale } from "@/messages";

type Conditions = Pick<SellerDetail, "features" | "terms">;
type Fee = { percentage: string; fixed: string; minimum: string };
type Props = { seller: SellerDetail; meta: SellerMeta; approves?: boolean; onClose: () => void };

/**
 * What a seller may do, what it pays and its limits: with its approval, or changed later. Either is mailed to the seller,
 * and refused where somebody else has changed what the form showed.
 */
export function SellerForm({ seller, meta, approves = false, onClose }: Props) {
  const t = useTranslations("operator");
  const locale = useLocale();
  const [seen] = useState<Conditions>({ features: seller.features, terms: seller.terms });
  const form = useApiForm({
    schema: () => import("@/lib/accounts/schema").then(({ AccountChange }) => AccountChange),
    defaultValues: valuesOf(seen, locale),
    body: (values) => ({ ...(approves && { status: "approved" as const }), ...inputOf(values), seen }),
    send: (body) => changeSeller(seller.id, body),
    refresh: SELLERS,
    done: t(approves ? "approved" : "changed"),
    onSuccess: onClose,
  });
  const [title, help] = approves
    ? ([seller.status === "suspended" ? "approveAgainNamed" : "approveNamed", "approveHelp"] as const)
    : (["changeNamed", "changeHelp"] as const);
  return (
    <FormDialog
      form={form}
      title={t(title, { name: seller.name })}
      description={t(help, { email: seller.email, route: meta.route })}
      action={t(approves ? "approveNow" : "changeNow", { route: meta.route })}
      onClose={onClose}
    >
      {approves && <NoProvider rails={meta.rails} isByCard={form.watch("features").includes("cards")} />}
      {approves && <SameDocument seller={seller} target="_blank" />}
      <FeatureChoice form={form} />
      {methodNames.map((method) => (
        <FeeFields key={method} form={form} method={method} />
      ))}
      <p className="-mt-3 text-caption text-muted">{t("fees.help")}</p>
      <TextField
        form={form}
        name="terms.refund_fee"
        label={t("refundFee.label")}
        help={t("refundFee.help")}
        fault={t("fees.fixed.fault")}
        inputMode="decimal"
      />
      <TextField
        form={form}
        name="terms.chargeback_fee"
        label={t("chargebackFee.label")}
        help={t("chargebackFee.help")}
        fault={t("fees.fixed.fault")}
        inputMode="decimal"
      />
      {withdrawalTerms.map((name) => (
        <TextField
          key={name}
          form={form}
          name={`terms.${name}`}
          label={t(`withdrawals.${name}.label`)}
          help={t(`withdrawals.${name}.help`)}
          fault={t("withdrawals.fault")}
          inputMode="decimal"
        />
      ))}
      <TextField
        form={form}
        name="terms.card_settlement_days"
        label={t("settlement.label")}
        help={t("settlement.help")}
        fault={t("settlement.fault")}
        inputMode="numeric"
      />
      <TextField
        form={form}
        name="terms.storage_limit_mb"
        label={t("storage.label")}
        help={t("storage.help")}
        fault={t("storage.fault")}
        inputMode="numeric"
      />
      <TextField
        form={form}
        name="terms.approval_above"
        label={t("approvalAbove.label")}
        help={t("approvalAbove.help")}
        fault={t("approvalAbove.fault")}
        inputMode="decimal"
      />
    </FormDialog>
  );
}

/** An amount or percentage as a person writes it: "1,99", in English "1.99". */
const typed = (decimal: string | null, locale: Locale) => (decimal ?? "0.00").replace(".", locale === "en" ? "." : ",");
const typedFee = ({ percentage, fixed, minimum }: Conditions["terms"][FeeColumn], locale: Locale): Fee => ({
  percentage: typed(percentage, locale),
  fixed: typed(fixed, locale),
  minimum: typed(minimum, locale),
});
const valuesOf = ({ features, terms }: Conditions, locale: Locale) => ({
  features: allFeatures.filter((name) => features.includes(name)),
  terms: {
    ...byFee((method) => typedFee(terms[methods[method].fee.column], locale)),
    refund_fee: typed(terms.refund_fee, locale),
    chargeback_fee: typed(terms.chargeback_fee, locale),
    ...byTerm((name) => typed(terms[name], locale)),
    card_settlement_days: String(terms.card_settlement_days),
    storage_limit_mb: String(terms.storage_limit_mb),
    approval_above: terms.approval_above === null ? "" : typed(terms.approval_above, locale),
  },
});

const inputOf = ({ features, terms }: Values) => ({
  features: allFeatures.filter((name) => features.includes(name)),
  terms: {
    ...byFee((method) => feeOf(terms[methods[method].fee.column])),
    refund_fee: reaisOf(terms.refund_fee),
    chargeback_fee: reaisOf(terms.chargeback_fee),
    ...byTerm((name) => reaisOf(terms[name])),
    card_settlement_days: wholeOf(terms.card_settlement_days),
    storage_limit_mb: wholeOf(terms.storage_limit_mb),
    approval_above: terms.approval_above.trim() === "" ? null : reaisOf(terms.approval_above),
  },
});
const feeOf = ({ percentage, fixed, minimum }: Fee): Fee => ({
  percentage: decimalOf(percentage),
  fixed: reaisOf(fixed),
  minimum: reaisOf(minimum),
});
const reaisOf = (text: string) => decimalOf(text.replace(/R\$/, ""));
/** A whole number as a person writes it: "102.400" is 102400. */
const wholeOf = (text: string) => {
  const digits = plain(text)
    .trim()
    .replace(/[., ](?=\d{3}(?!\d))/g, "");
  return /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
};

type Values = ReturnType<typeof valuesOf>;
type FeeProps = { form: Pick<ApiForm<Values>, "register" | "faultOf">; method: MethodName };

const parts = ["percentage", "fixed", "minimum"] as const;

function FeeFields({ form, method }: FeeProps) {
  const t = useTranslations("operator.fees");
  const names = useTranslations("methods");
  const name = methods[method].fee.column;
  return (
    <fieldset className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3">
      <legend className="mb-1.5 font-semibold">{names(`${method}.fee`)}</legend>
      {parts.map((part) => (
        <TextField
          key={part}
          form={form}
          name={`terms.${name}.${part}`}
          label={t(`${part}.label`)}
          fault={t(`${part}.fault`)}
          inputMode="decimal"
        />
      ))}
    </fieldset>
  );
}
