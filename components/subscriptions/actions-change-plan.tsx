"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useNumbers, usePeriod } from "@/components/format";
import { PlanChangeEffect } from "@/components/subscriptions/actions-preview";
import { NewCode } from "@/components/subscriptions/detail-code";
import { plansBeside, previewQuery, type Subscription } from "@/components/subscriptions/detail-queries";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { Loaded } from "@/components/ui/loaded";
import { RowsSkeleton } from "@/components/ui/skeleton";
import type { Plan } from "@/lib/plans/schema";
import type { PlanChange } from "@/lib/subscriptions/schema";

type Props = { subscription: Subscription; onClose: () => void };

/** Moves to another plan of the same product and method, after a look at what that does. */
export function ChangePlan({ subscription, onClose }: Props) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.change");
  const api = useApi();
  const period = usePeriod();
  const [plan, setPlan] = useState("");
  const plans = useQuery(plansBeside(api.account, subscription.plan.product?.reference_id ?? null));
  const change = useAction<{ plan_change: PlanChange["plan_change"] }>({
    act: () => api.patch(`/api/partner/v1/subscriptions/${subscription.token}/change-plan`, { new_plan_token: plan }),
    done: t("done"),
    refresh: [api.account, "subscriptions"],
    onDone: ({ plan_change }) => plan_change.proration_charge?.payment.pix_code || onClose(),
  });
  const worded = (plan: Pick<Plan, "name" | "amount" | "periodicity_days" | "billing_method">) => ({
    ...{ name: plan.name, amount: money(cents(plan.amount)), period: period(plan) },
  });
  const charge = change.data?.plan_change.proration_charge;
  if (charge?.payment.pix_code) {
    return (
      <Dialog title={t("made")} description={t("madeHelp")} onClose={onClose}>
        <NewCode charge={charge} code={charge.payment.pix_code} />
      </Dialog>
    );
  }
  return (
    <Dialog title={t("title")} description={t("now", worded(subscription.plan))} onClose={onClose}>
      <Loaded result={plans} skeleton={<RowsSkeleton rows={2} />}>
        {(all) => {
          const others = all.filter((one) => isAnother(one, subscription));
          if (others.length === 0) return <p>{t("none")}</p>;
          return (
            <div className="grid gap-5">
              <Field label={t("to")}>
                {(wiring) => (
                  <Select {...wiring} value={plan} onChange={({ target }) => setPlan(target.value)}>
                    <option value="">{t("choose")}</option>
                    {others.map((one) => (
                      <option key={one.token} value={one.token}>
                        {t("option", worded(one))}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
              {plan && <Preview key={plan} subscription={subscription} plan={plan} change={change} onClose={onClose} />}
            </div>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

/** Another plan by the same method, or the subscription's own one where its price or period changed since. */
function isAnother(plan: Plan, { plan: own }: Subscription): boolean {
  const isOwn = plan.token === own.token;
  const isSame = plan.amount === own.amount && plan.periodicity_days === own.periodicity_days;
  return plan.billing_method === own.billing_method && !(isOwn && isSame);
}

type PreviewProps = Props & { plan: string; change: { mutate: () => void; isPending: boolean } };

function Preview({ subscription, plan, change, onClose }: PreviewProps) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.change");
  const common = useTranslations("common");
  const { account } = useApi();
  const result = useQuery(previewQuery(account, subscription.token, plan));
  return (
    <Loaded result={result} skeleton={<RowsSkeleton rows={3} />}>
      {({ data }) => (
        <>
          <PlanChangeEffect preview={data} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={onClose}>{common("cancel")}</Button>
            <Button look="primary" busy={change.isPending} onClick={() => change.mutate()}>
              {cents(data.proration_amount) > 0
                ? t("actCharging", { amount: money(cents(data.proration_amount)) })
                : t("act")}
            </Button>
          </div>
        </>
      )}
    </Loaded>
  );
}
