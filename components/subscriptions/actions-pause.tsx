"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { cents, useNumbers } from "@/components/format";
import { Effects, useClock } from "@/components/subscriptions/actions-effect";
import { openCharge, paidUntil, type Subscription } from "@/components/subscriptions/detail-queries";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { startOfDay } from "@/lib/time/calendar";

type Props = { subscription: Subscription; onClose: () => void };

/** Pauses, until it is resumed or until a day. */
export function Pause({ subscription, onClose }: Props) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.pause");
  const api = useApi();
  const { daysUntil, dayAfter, tomorrow } = useClock();
  const { token, subscriber_name: name } = subscription;
  const form = useApiForm({
    schema: () => import("@/lib/subscriptions/schema").then(({ PauseBody }) => PauseBody),
    defaultValues: { resumes_at: "" },
    body: ({ resumes_at }) => ({ resumes_at: resumes_at ? startOfDay(resumes_at).toISOString() : null }) as never,
    send: (body: object) => api.patch(`/api/partner/v1/subscriptions/${token}/pause`, body),
    refresh: [api.account, "subscriptions"],
    done: t("done"),
    onSuccess: onClose,
  });
  const days = daysUntil(paidUntil(subscription));
  const charge = openCharge(subscription);
  const day = form.watch("resumes_at");
  return (
    <FormDialog form={form} title={t("title", { name })} action={t("act")} onClose={onClose}>
      <TextField
        form={form}
        name="resumes_at"
        type="date"
        min={tomorrow}
        label={t("until")}
        optional={t("optional")}
        help={t("untilHelp")}
        fault={t("faults.until")}
      />
      <div aria-live="polite">
        <Effects
          of={[
            t("notCharged"),
            charge && t("dropped", { amount: money(cents(charge.amount)) }),
            t("kept", { days }),
            day && t("next", { day: dayAfter(0, day), next: dayAfter(days, day) }),
          ]}
        />
      </div>
    </FormDialog>
  );
}
