"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { cents } from "@/components/format";
import { agreedOf, Received, typedSplits } from "@/components/plans/received";
import { SplitFields } from "@/components/plans/split-fields";
import { emptyPlan, planBody } from "@/components/plans/values";
import { Field, Select } from "@/components/ui/field";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { MoneyField } from "@/components/ui/money-input";
import type { Plan, PlanAnswer } from "@/lib/plans/schema";

type Props = { productId: string; plan?: Plan; onClose: () => void };

const methods = ["qr_code", "pix_automatico", "credit_card"] as const;

/** Makes a plan of a product, or changes one. */
export function PlanEditor({ productId, plan, onClose }: Props) {
  const t = useTranslations("plans");
  const api = useApi();
  const mayInvite = useMay("splits:write");
  const path = `/api/partner/v1/products/${productId}/subscription-plans` as const;
  const form = useApiForm({
    schema: () => import("@/lib/plans/schema").then(({ PlanInput }) => PlanInput),
    defaultValues: plan
      ? {
          name: plan.name,
          amount: cents(plan.amount),
          billing_method: plan.billing_method,
          periodicity_days: String(plan.periodicity_days),
          splits: [],
        }
      : emptyPlan,
    body: planBody,
    send: (body) => (plan ? api.put<PlanAnswer>(`${path}/${plan.token}`, body) : api.post<PlanAnswer>(path, body)),
    refresh: [api.account, "plans", productId],
    done: t(plan ? "saved" : "created"),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={plan ? t("editTitle") : t("new")}
      action={plan ? t("save") : t("create")}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t("name")} help={t("nameHelp")} fault={t("faults.name")} />
      <MoneyField form={form} name="amount" label={t("amount")} fault={t("faults.amount")} />
      <TextField
        form={form}
        name="periodicity_days"
        label={t("period")}
        help={t("periodHelp")}
        fault={t("faults.period")}
        inputMode="numeric"
      />
      <Field label={t("method")} error={form.faultOf("billing_method") && t("faults.method")}>
        {(wiring) => (
          <Select {...wiring} {...form.register("billing_method")}>
            {methods.map((method) => (
              <option key={method} value={method}>
                {t(`methods.${method}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {!plan && mayInvite && <SplitFields form={form} />}
      <Received
        amount={form.watch("amount")}
        method={form.watch("billing_method")}
        splits={plan ? agreedOf(plan) : typedSplits(form.watch("splits"))}
      />
      {plan && <p className="text-caption text-muted">{t("changeHelp")}</p>}
    </FormDialog>
  );
}
