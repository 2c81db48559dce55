"use client";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { PAYOUTS, stopPayouts } from "@/components/operator/withdrawal-queries";
import { TextAreaField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import type { PlaceOfStop } from "@/lib/withdrawals/schema";

type Props = { place: PlaceOfStop; name: string; onClose: () => void };

/** Stops the payouts of a place with a reason that the staff reads, and says what then happens. */
export function StopForm({ place, name, onClose }: Props) {
  const t = useTranslations("payoutStops.stop");
  const form = useApiForm({
    schema: () => import("@/lib/withdrawals/schema").then(({ StopBody }) => StopBody),
    defaultValues: { reason: "" },
    body: (values) => ({ ...place, ...values }),
    send: stopPayouts,
    refresh: PAYOUTS,
    done: t("done"),
    onSuccess: onClose,
  });
  return (
    <FormDialog form={form} title={t("title", { name })} action={t("action")} onClose={onClose}>
      <ul className="grid list-disc gap-1.5 pl-4 text-muted">
        <li>{t("effects.waits")}</li>
        <li>{t("effects.sent")}</li>
        <li>{t("effects.sellers")}</li>
      </ul>
      <TextAreaField
        form={form}
        name="reason"
        label={t("reason")}
        help={t("reasonHelp")}
        fault={t("fault")}
        maxLength={500}
      />
    </FormDialog>
  );
}
