"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { cents, useNumbers } from "@/components/format";
import { providersQuery } from "@/components/operator/provider-queries";
import {
  creditMoney,
  matchMoney,
  returnMoney,
  transferMoney,
  UNMATCHED,
  type UnmatchedDetail,
} from "@/components/operator/unmatched-queries";
import { ChoiceField, TextAreaField, TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { MAX_REASON } from "@/lib/differences/schema";

type Props = { money: UnmatchedDetail; sale: string; onClose: () => void };
type Words = "match" | "credit" | "transfer" | "return";

function useWords(of: Words, { money }: Props) {
  const t = useTranslations("unmatched");
  const { money: amountOf } = useNumbers();
  const values = { amount: amountOf(cents(money.amount)) };
  return { t, title: t(`${of}.title`, values), help: t(`${of}.help`, values), action: t(`${of}.action`) };
}

/** Uses the money for a sale that was open, which is then paid as by its own payment. */
export function Match(props: Props) {
  const { t, title, help, action } = useWords("match", props);
  const { money, sale, onClose } = props;
  const form = useApiForm({
    schema: () => import("@/lib/unmatched/schema").then(({ MatchBody }) => MatchBody),
    defaultValues: { transaction: sale, reason: "" },
    send: (body) => matchMoney(money, body),
    ...{ refresh: UNMATCHED, done: t("match.done"), onSuccess: onClose },
    fieldOf: {
      ...{ transaction_not_found: "transaction", sale_not_payable: "transaction" },
      unmatched_amount_differs: "transaction",
    },
  });
  const fault = form.faultOf("transaction");
  const known = ["transaction_not_found", "sale_not_payable", "unmatched_amount_differs"] as const;
  return (
    <FormDialog form={form} title={title} description={help} action={action} onClose={onClose}>
      <TextField
        form={form}
        name="transaction"
        label={t("match.sale")}
        help={t("match.saleHelp")}
        fault={t(`faults.${known.find((one) => one === fault) ?? "transaction"}`)}
      />
      <TextAreaField form={form} name="reason" {...reasonOf(t)} />
    </FormDialog>
  );
}

/** Gives all of the money to an account, without a fee. */
export function Credit(props: Props) {
  const { t, title, help, action } = useWords("credit", props);
  const { money, onClose } = props;
  const form = useApiForm({
    schema: () => import("@/lib/unmatched/schema").then(({ CreditBody }) => CreditBody),
    defaultValues: { account: money.account?.id ?? "", reason: "" },
    send: (body) => creditMoney(money, body),
    ...{ refresh: UNMATCHED, done: t("credit.done"), onSuccess: onClose },
    fieldOf: { account_not_found: "account", account_closed: "account", unmatched_mode_differs: "account" },
  });
  const fault = form.faultOf("account");
  const known = ["account_not_found", "account_closed", "unmatched_mode_differs"] as const;
  return (
    <FormDialog form={form} title={title} description={help} action={action} onClose={onClose}>
      <TextField
        form={form}
        name="account"
        label={t("credit.account")}
        help={t("credit.accountHelp")}
        fault={t(`faults.${known.find((one) => one === fault) ?? "account"}`)}
      />
      <TextAreaField form={form} name="reason" {...reasonOf(t)} />
    </FormDialog>
  );
}

/** Says that the money is our own, from another PSP. */
export function Transfer(props: Props) {
  const { t, title, help, action } = useWords("transfer", props);
  const { money, onClose } = props;
  const { data: providers } = useQuery(providersQuery);
  const others = providers?.data.filter(({ name }) => name !== money.provider) ?? [];
  const form = useApiForm({
    schema: () => import("@/lib/unmatched/schema").then(({ TransferBody }) => TransferBody),
    defaultValues: { provider: "", reason: "" },
    send: (body) => transferMoney(money, body),
    ...{ refresh: UNMATCHED, done: t("transfer.done"), onSuccess: onClose },
    fieldOf: { provider_not_found: "provider" },
  });
  return (
    <FormDialog form={form} title={title} description={help} action={action} onClose={onClose}>
      <ChoiceField
        form={form}
        name="provider"
        label={t("transfer.from")}
        fault={t("faults.provider")}
        none={t(providers && others.length === 0 ? "transfer.none" : "transfer.choose")}
        options={others.map(({ name, title }) => [name, title] as const)}
      />
      <TextAreaField form={form} name="reason" {...reasonOf(t)} help={t("transfer.reasonHelp")} />
    </FormDialog>
  );
}

/** Sends the money back to who paid it. */
export function Return(props: Props) {
  const { t, title, help, action } = useWords("return", props);
  const { money, onClose } = props;
  const form = useApiForm({
    schema: () => import("@/lib/unmatched/schema").then(({ ReturnBody }) => ReturnBody),
    defaultValues: { reason: "" },
    send: (body) => returnMoney(money, body),
    ...{ refresh: UNMATCHED, done: t("return.done"), onSuccess: onClose },
  });
  return (
    <FormDialog form={form} title={title} description={help} action={action} onClose={onClose}>
      <TextAreaField form={form} name="reason" {...reasonOf(t)} />
    </FormDialog>
  );
}

const reasonOf = (t: ReturnType<typeof useTranslations<"unmatched">>) => ({
  ...{ label: t("reason"), help: t("reasonHelp"), fault: t("faults.reason"), maxLength: MAX_REASON },
});
