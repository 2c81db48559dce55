"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { useApi, useMaySell } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { ClientFields } from "@/components/deposits/client-fields";
import { Summary } from "@/components/deposits/summary";
import { depositBody, emptyDeposit } from "@/components/deposits/values";
import { Form, Submit, TextField } from "@/components/ui/form";
import { useAccountPath } from "@/components/ui/link";
import { MoneyField } from "@/components/ui/money-input";

type Created = { identifier: string };

export function DepositForm() {
  const t = useTranslations("deposits");
  const api = useApi();
  const maySell = useMaySell();
  const to = useAccountPath();
  const router = useRouter();
  const form = useApiForm({
    schema: () => import("@/lib/deposits/schema").then(({ CashInForm }) => CashInForm),
    defaultValues: emptyDeposit,
    body: depositBody,
    send: (body) => api.post<Created>("/api/partner/v1/cash-in", body),
    onSuccess: ({ identifier }) => router.push(to(`/charges/${identifier}`)),
    leaves: true,
  });
  return (
    <Form form={form} className="max-w-[560px] !gap-6">
      <MoneyField form={form} name="amount" label={t("amount")} fault={t("faults.amount")} />
      <TextField
        form={form}
        name="description"
        label={t("description")}
        optional={t("optional")}
        help={t("descriptionHelp")}
        fault={t("faults.description")}
      />
      <ClientFields form={form} />
      <div className="grid gap-4 border-t pt-5">
        <Summary amount={form.watch("amount")} />
        <Submit form={form} size="large" busyText={t("creating")} disabled={!maySell}>
          {t("create")}
        </Submit>
      </div>
    </Form>
  );
}
