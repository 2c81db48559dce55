"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { cents } from "@/components/format";
import type { TransactionDetail } from "@/components/transactions/queries";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { MoneyField } from "@/components/ui/money-input";
import { decimal } from "@/lib/money";

type Props = { detail: TransactionDetail; onClose: () => void };

/** Sandbox: pays a Pix as its payer does not usually do: with another amount, or from somebody else's account. */
export function SimulatePayment({ detail: { transaction }, onClose }: Props) {
  const t = useTranslations("simulation.pay");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/deposits/schema").then(({ PayBody }) => PayBody),
    defaultValues: { amount: cents(transaction.amount), payer: { name: "", document: "" } },
    body: ({ amount, payer: { name, document } }) => ({
      amount: decimal(amount),
      payer: { ...(name.trim() && { name }), ...(document.trim() && { document }) },
    }),
    send: (body) => api.post(`/api/partner/v1/sandbox/pix/${transaction.reference_id}/pay`, body),
    refresh: [api.account],
    done: t("done"),
    onSuccess: onClose,
  });
  return (
    <FormDialog form={form} title={t("title")} description={t("help")} action={t("action")} onClose={onClose}>
      <MoneyField form={form} name="amount" label={t("amount")} help={t("amountHelp")} fault={t("amountFault")} />
      <TextField form={form} name="payer.name" label={t("name")} optional={t("optional")} maxLength={100} />
      <TextField
        form={form}
        name="payer.document"
        label={t("document")}
        optional={t("optional")}
        fault={t("documentFault")}
        maxLength={24}
      />
    </FormDialog>
  );
}
