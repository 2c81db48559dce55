"use client";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { cents, useNumbers } from "@/components/format";
import { giveUp, WITHDRAWALS } from "@/components/operator/withdrawal-queries";
import { TextAreaField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { toast } from "@/components/ui/toast";
import type { StaffWithdrawal, WithdrawalAnswer } from "@/lib/withdrawals/schema";

/** Gives up a withdrawal that its rail does not know, with a reason that the seller reads, and says what then happens. */
export function GiveUp({ known, onClose }: { known: StaffWithdrawal; onClose: () => void }) {
  const { money } = useNumbers();
  const t = useTranslations("payouts.giveUp");
  const { withdrawal, account } = known;
  const form = useApiForm({
    schema: () => import("@/lib/withdrawals/schema").then(({ GiveUpBody }) => GiveUpBody),
    defaultValues: { reason: "" },
    send: (body) => giveUp(known, body) as Promise<WithdrawalAnswer>,
    refresh: WITHDRAWALS,
    onSuccess({ data }) {
      // The rail was asked once more, and what it knows counts.
      toast(t(data.status === "failed" ? "done" : "known"));
      onClose();
    },
  });
  const values = { amount: money(cents(withdrawal.amount)), total: money(cents(withdrawal.total)), name: account.name };
  return (
    <FormDialog form={form} title={t("title", values)} action={t("action")} onClose={onClose}>
      <ul className="grid list-disc gap-1.5 pl-4 text-muted">
        <li>{t("effects.asked")}</li>
        <li>{t("effects.released", values)}</li>
        <li>{t("effects.late", values)}</li>
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
