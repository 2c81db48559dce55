"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { cents } from "@/components/format";
import { isSeen, type TransactionDetail } from "@/components/transactions/queries";
import { RadioField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { MoneyField } from "@/components/ui/money-input";
import type { DisputePage } from "@/lib/disputes/schema";
import { methodOfV2 } from "@/lib/methods/methods";
import { decimal } from "@/lib/money";

type Props = { detail: TransactionDetail; onClose: () => void };

const outcomes = ["open", "won", "lost", "cancelled"] as const;

/** Sandbox: plays the payer who disputes a sale, with how the provider ends it. */
export function SimulateDispute({ detail: { transaction, refundable }, onClose }: Props) {
  const t = useTranslations("simulation.dispute");
  const api = useApi();
  const { reference_id: id, amount, payment_method } = transaction;
  const isCard = methodOfV2(payment_method) === "card";
  const count = async () => (await api.get<DisputePage>("/api/partner/v1/disputes", { reference_id: id })).data.length;
  const form = useApiForm({
    schema: () => import("@/lib/disputes/schema").then(({ OpenBody }) => OpenBody),
    defaultValues: {
      amount: cents(refundable?.left ?? amount),
      outcome: "open" as (typeof outcomes)[number],
    },
    body: (values) => ({
      amount: decimal(values.amount),
      outcome: values.outcome === "open" ? null : values.outcome,
    }),
    async send(body) {
      const before = await count();
      await (isCard
        ? api.post(`/api/partner/v1/sandbox/cards/${id}/chargeback`, body)
        : api.post(`/api/partner/v1/sandbox/pix/${id}/med`, body));
      await isSeen(async () => (await count()) > before);
    },
    refresh: [api.account],
    done: t("done"),
    fieldOf: { invalid_transition: "amount" },
    onSuccess: onClose,
  });
  return (
    <FormDialog form={form} title={t("title")} description={t("help")} action={t("action")} onClose={onClose}>
      <MoneyField form={form} name="amount" label={t("amount")} help={t("amountHelp")} fault={t("amountFault")} />
      <RadioField
        form={form}
        name="outcome"
        label={t("outcome")}
        options={outcomes.map((outcome) => [outcome, t(`outcomes.${outcome}`)] as const)}
      />
    </FormDialog>
  );
}
