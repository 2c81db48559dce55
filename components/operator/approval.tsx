"use client";
import { useTranslations } from "use-intl";
import { type ApiForm, useApiForm } from "@/components/api-form";
import { allFeatures, FeatureChoice } from "@/components/operator/features";
import { changeSeller, SELLERS, type SellerAccount } from "@/components/operator/queries";
import { decimalOf } from "@/components/splits/percentage";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";

type Props = { seller: SellerAccount; onClose: () => void };

/** An amount or percentage as a person writes it: "1,99". */
const typed = (decimal: string | null) => (decimal ?? "0.00").replace(".", ",");
const valuesOf = ({ features, terms }: SellerAccount) => ({
  features: allFeatures.filter((name) => features.includes(name)),
  terms: {
    pix_fee: { percentage: typed(terms.pix_fee.percentage), fixed: typed(terms.pix_fee.fixed) },
    card_fee: { percentage: typed(terms.card_fee.percentage), fixed: typed(terms.card_fee.fixed) },
    card_settlement_days: String(terms.card_settlement_days),
    storage_limit_mb: String(terms.storage_limit_mb),
  },
});

const wholeOf = (text: string) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN);

/** Approves a seller in one step: what it may do, what it pays and its limits. It is told by mail. */
export function Approval({ seller, onClose }: Props) {
  const t = useTranslations("operator");
  const { terms } = seller;
  const form = useApiForm({
    schema: () => import("@/lib/accounts/schema").then(({ AccountChange }) => AccountChange),
    defaultValues: valuesOf(seller),
    body: ({ features, terms: { pix_fee, card_fee, card_settlement_days, storage_limit_mb } }) => ({
      status: "approved" as const,
      features: allFeatures.filter((name) => features.includes(name)),
      terms: {
        pix_fee: { ...decimals(pix_fee), minimum: terms.pix_fee.minimum },
        card_fee: { ...decimals(card_fee), minimum: terms.card_fee.minimum },
        card_settlement_days: wholeOf(card_settlement_days),
        storage_limit_mb: wholeOf(storage_limit_mb),
      },
    }),
    send: (body) => changeSeller(seller.id, body),
    refresh: SELLERS,
    done: t("approved"),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t(seller.status === "suspended" ? "approveAgainNamed" : "approveNamed", { name: seller.name })}
      description={t("approveHelp", { email: seller.email })}
      action={t("approveNow")}
      onClose={onClose}
    >
      <FeatureChoice form={form} />
      <FeeFields form={form} name="pix_fee" />
      <FeeFields form={form} name="card_fee" />
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          form={form}
          name="terms.card_settlement_days"
          label={t("settlementDays")}
          fault={t("faults.settlementDays")}
          inputMode="numeric"
        />
        <TextField
          form={form}
          name="terms.storage_limit_mb"
          label={t("storageLimit")}
          fault={t("faults.storageLimit")}
          inputMode="numeric"
        />
      </div>
    </FormDialog>
  );
}

type Values = ReturnType<typeof valuesOf>;
type FeeProps = { form: Pick<ApiForm<Values>, "register" | "faultOf">; name: "pix_fee" | "card_fee" };

function FeeFields({ form, name }: FeeProps) {
  const t = useTranslations("operator");
  return (
    <fieldset className="grid grid-cols-2 items-start gap-3">
      <legend className="mb-1.5 font-semibold">{t(`fees.${name}`)}</legend>
      <TextField
        form={form}
        name={`terms.${name}.percentage`}
        label={t("fees.percentage")}
        fault={t("faults.percentage")}
        inputMode="decimal"
      />
      <TextField
        form={form}
        name={`terms.${name}.fixed`}
        label={t("fees.fixed")}
        fault={t("faults.fixed")}
        inputMode="decimal"
      />
    </fieldset>
  );
}

const decimals = ({ percentage, fixed }: { percentage: string; fixed: string }) => ({
  percentage: decimalOf(percentage),
  fixed: decimalOf(fixed.replace(/R\$/, "")),
});
