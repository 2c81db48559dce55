"use client";
import { type BaseSyntheticEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay, useMaySell } from "@/components/account";
import { type ApiForm, useApiForm } from "@/components/api-form";
import { cents, usePeriod } from "@/components/format";
import { contradicts } from "@/components/plans/named-period";
import { agreedOf, Received, typedSplits } from "@/components/plans/received";
import { SplitFields } from "@/components/plans/split-fields";
import { daysOf, emptyPlan, type PlanValues, periodOf, periods, planBody } from "@/components/plans/values";
import { Address } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { MoneyField } from "@/components/ui/money-input";
import { WayBackFields } from "@/components/way-back/fields";
import { billingMethodNames, billingMethods } from "@/lib/methods/methods";
import type { Plan, PlanAnswer } from "@/lib/plans/schema";

type Props = { productId: string; plan?: Plan; onClose: () => void };

/** Makes a plan of a product and shows where it is sold, or changes one. */
export function PlanEditor({ productId, plan, onClose }: Props) {
  const t = useTranslations("plans");
  const api = useApi();
  const maySell = useMaySell();
  const mayInvite = useMay("splits:write") && maySell;
  const path = `/api/partner/v1/products/${productId}/subscription-plans` as const;
  const form = useApiForm({
    schema: () => import("@/lib/plans/schema").then(({ PlanInput }) => PlanInput),
    defaultValues: plan
      ? {
          name: plan.name,
          amount: cents(plan.amount),
          billing_method: plan.billing_method,
          ...periodOf(plan.periodicity_days),
          return_url: plan.return_url ?? "",
          cancel_url: plan.cancel_url ?? "",
          splits: [],
        }
      : emptyPlan,
    body: planBody,
    send: (body) => (plan ? api.put<PlanAnswer>(`${path}/${plan.token}`, body) : api.post<PlanAnswer>(path, body)),
    refresh: [api.account], // also the product, which is sold or not by its plans
    ...(plan && { done: t("saved"), onSuccess: onClose }),
  });
  const question = usePeriodQuestion(form);
  if (form.answer && !plan) return <Created plan={form.answer.data} onClose={onClose} />;
  return (
    <>
      <FormDialog
        form={{ ...form, submit: question.submit }}
        title={plan ? t("editTitle") : t("new")}
        action={plan ? t("save") : t("create")}
        onClose={onClose}
      >
        <TextField form={form} name="name" label={t("name")} help={t("nameHelp")} fault={t("faults.name")} />
        <MoneyField form={form} name="amount" label={t("amount")} fault={t("faults.amount")} />
        <PeriodFields form={form} />
        <Field label={t("method")} error={form.faultOf("billing_method") && t("faults.method")}>
          {(wiring) => (
            <Select {...wiring} {...form.register("billing_method")}>
              {billingMethodNames.map((method) => (
                <option key={method} value={method}>
                  {t(`methods.${method}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {!plan && mayInvite && <SplitFields form={form} />}
        <WayBackFields form={form} />
        <Received
          amount={form.watch("amount")}
          method={form.watch("billing_method")}
          splits={plan ? agreedOf(plan) : typedSplits(form.watch("splits"))}
        />
        {plan && <p className="text-caption text-muted">{t("changeHelp")}</p>}
      </FormDialog>
      {question.asked}
    </>
  );
}

/** The period by its name, or in days. */
function PeriodFields({ form }: { form: ApiForm<PlanValues, PlanAnswer> }) {
  const t = useTranslations("plans");
  const isOther = form.watch("period") === "other";
  const days = daysOf(form.watch());
  const help = helpOf(days, form.watch("billing_method"));
  return (
    <>
      <Field
        label={t("period")}
        help={isOther || !help ? undefined : t(`periodHelp.${help}`, { days })}
        error={isOther ? undefined : form.faultOf("periodicity_days") && t("faults.period")}
      >
        {(wiring) => (
          <Select {...wiring} {...form.register("period")}>
            {periods.map((period) => (
              <option key={period} value={period}>
                {t(`periods.${period}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isOther && (
        <TextField
          form={form}
          name="periodicity_days"
          label={t("days")}
          help={t("daysHelp")}
          fault={t("faults.period")}
          inputMode="numeric"
        />
      )}
    </>
  );
}

/** What a seller may not expect of a period: only those of Pix Automático are calendar months. */
function helpOf(days: number, method: PlanValues["billing_method"]): "months" | "year" | "days" | undefined {
  if (days < 30) return undefined;
  if (billingMethods[method].inMonths) return "months";
  return days === 365 ? "year" : "days";
}

/** Asks before a plan is saved whose name says another period than the one that was chosen. */
function usePeriodQuestion(form: ApiForm<PlanValues, PlanAnswer>) {
  const t = useTranslations("plans.contradiction");
  const periodText = usePeriod();
  const [isAsked, setIsAsked] = useState(false);
  const { name, billing_method } = form.getValues();
  const period = periodText({ periodicity_days: daysOf(form.getValues()), billing_method });
  async function submit(event?: BaseSyntheticEvent) {
    event?.preventDefault();
    const values = form.getValues();
    if (contradicts(values.name, daysOf(values))) setIsAsked(true);
    else await form.submit();
  }
  const asked = isAsked && (
    <Confirm
      title={t("title", { name: name.trim(), period })}
      action={t("save")}
      cancel={t("change")}
      look="primary"
      onConfirm={() => {
        setIsAsked(false);
        void form.submit();
      }}
      onClose={() => setIsAsked(false)}
    >
      {t("text", { period })}
    </Confirm>
  );
  return { submit, asked };
}

function Created({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const t = useTranslations("plans");
  return (
    <Dialog title={t("created")} description={t("share")} onClose={onClose}>
      {useMaySell() ? (
        <Address url={plan.checkout_url} copy={t("copyAddress")} open={t("openPage")} />
      ) : (
        <p className="text-muted">{t("afterApproval")}</p>
      )}
      <Button look="primary" className="mt-6 max-sm:w-full" onClick={onClose}>
        {t("finish")}
      </Button>
    </Dialog>
  );
}
