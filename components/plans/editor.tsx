"use client";
import { useTranslations } from "use-intl";
import { useApi, useSession } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { cents, money } from "@/components/format";
import { emptyPlan, planBody } from "@/components/plans/values";
import { Field, Select } from "@/components/ui/field";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { MoneyField } from "@/components/ui/money-input";
import { feeOf } from "@/lib/money";
import type { Plan, PlanAnswer } from "@/lib/plans/schema";

type Props = { productId: string; plan?: Plan; onClose: () => void };

const methods = ["qr_code", "pix_automatico", "credit_card"] as const;

/** Makes a plan of a product, or changes one. */
export function PlanEditor({ productId, plan, onClose }: Props) {
  const t = useTranslations("plans");
  const api = useApi();
  const path = `/api/partner/v1/products/${productId}/subscription-plans` as const;
  const form = useApiForm({
    schema: () => import("@/lib/plans/schema").then(({ PlanInput }) => PlanInput),
    defaultValues: plan
      ? {
          name: plan.name,
          amount: cents(plan.amount),
          billing_method: plan.billing_method,
          periodicity_days: String(plan.periodicity_days),
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
      <Received amount={form.watch("amount")} method={form.watch("billing_method")} isChange={plan !== undefined} />
    </FormDialog>
  );
}

type ReceivedProps = { amount: number; method: Plan["billing_method"]; isChange: boolean };

/** What the seller gets of each charge by Pix, and who is charged another amount. */
function Received({ amount, method, isChange }: ReceivedProps) {
  const t = useTranslations("plans");
  const { fee } = useSession();
  return (
    <div className="grid gap-1 text-caption text-muted">
      {method !== "credit_card" && amount > 0 && (
        <p>{t("received", { net: money(amount - feeOf(amount, fee)), fee: money(feeOf(amount, fee)) })}</p>
      )}
      {isChange && <p>{t("changeHelp")}</p>}
    </div>
  );
}
