"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { isApiError } from "@/components/api";
import { type ApiForm, useApiForm } from "@/components/api-form";
import { Notice } from "@/components/auth/notice";
import { cents, useDates, useNumbers } from "@/components/format";
import { Button } from "@/components/ui/button";
import { Form, Submit, TextField } from "@/components/ui/form";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Loaded } from "@/components/ui/loaded";
import { MoneyField } from "@/components/ui/money-input";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { limitOf, mostOf } from "@/components/withdrawals/most";
import { PayeeFields } from "@/components/withdrawals/payee";
import { termsQuery } from "@/components/withdrawals/queries";
import { bodyOf, keyTyped, nothingTyped, REFUSED, type WithdrawalValues } from "@/components/withdrawals/values";
import type { CashOutSent, KeyOwner, WithdrawalTerms } from "@/lib/withdrawals/schema";

const Confirm = lazyWindow(() => import("@/components/withdrawals/confirm").then((module) => module.ConfirmWithdrawal));

/** Who receives, and how much; then the key's owner is looked up and shown, and only then the withdrawal is asked for. */
export function WithdrawalForm() {
  const result = useQuery(termsQuery(useApi().account));
  return (
    <Loaded result={result} skeleton={<RowsSkeleton rows={4} />}>
      {({ data }) => <Known terms={data} />}
    </Loaded>
  );
}

/** What is asked for, and whose the key is. */
export type Checked = { body: CashOutSent; owner: KeyOwner["data"] };

function Known({ terms }: { terms: WithdrawalTerms }) {
  const t = useTranslations("withdrawals.form");
  const api = useApi();
  const { full } = useDates();
  const [checked, setChecked] = useState<Checked | null>(null);
  const { payees, stopped_since: since, shows_owner: shows } = terms;
  const form = useApiForm<WithdrawalValues, CashOutSent, KeyOwner>({
    schema: async () => {
      const { CashOutBody } = await import("@/lib/withdrawals/schema");
      return CashOutBody.refine(({ amount }) => amount <= bound.most, { path: ["amount"] });
    },
    defaultValues: { ...nothingTyped, payee: payees[0]?.pix_key ?? "" },
    body: bodyOf(payees),
    send: ({ pix_key_type: type, pix_key: key }) =>
      api.get<KeyOwner>("/api/partner/v1/pix-keys/owner", { type, key }).catch((error: unknown) => {
        throw isApiError(error) && error.status === 404 ? Object.assign(error, { code: "pix_key_not_found" }) : error;
      }),
    onSuccess: ({ data: owner }, values) => setChecked({ body: bodyOf(payees)(values), owner }),
    fieldOf: { pix_key_not_found: "pix_key" },
  });
  const [payee, ...typed] = form.watch(["payee", "pix_key", "pix_key_type"]);
  const key = payee || keyTyped({ pix_key: typed[0], pix_key_type: typed[1] })?.key;
  const bound = mostOf(
    terms,
    payees.some(({ pix_key, is_known }) => pix_key === key && is_known),
  );
  return (
    <Form form={form} className="max-w-[560px] !gap-6">
      {since && (
        <Notice tone="warn">
          <p>{t("stopped", { since: full(since) })}</p>
        </Notice>
      )}
      {shows === null && (
        <Notice tone="warn">
          <p>{t("noProvider")}</p>
        </Notice>
      )}
      <PayeeFields form={form} payees={payees} />
      <AmountField form={form} terms={terms} {...bound} />
      <TextField
        form={form}
        name="description"
        label={t("description")}
        optional={t("optional")}
        help={t("descriptionHelp")}
        fault={t("faults.description")}
      />
      <div className="grid gap-4 border-t pt-5">
        {shows !== null && <p className="text-caption text-muted">{t(shows ? "owner.shown" : "owner.untold")}</p>}
        <Submit form={form} size="large" busyText={t("looking")} disabled={bound.most === 0}>
          {t(shows === false ? "nextUntold" : "next")}
        </Submit>
      </div>
      {checked && (
        <Confirm
          {...checked}
          terms={terms}
          onRefused={(field) => {
            form.setError(field, { type: REFUSED }, { shouldFocus: true });
            setChecked(null);
          }}
          onClose={() => setChecked(null)}
        />
      )}
    </Form>
  );
}

type AmountProps = { form: ApiForm<WithdrawalValues, KeyOwner>; terms: WithdrawalTerms } & ReturnType<typeof mostOf>;

/** The amount, with the most that can be withdrawn now and why it is not more. */
function AmountField({ form, terms, most, by }: AmountProps) {
  const t = useTranslations("withdrawals.form");
  const { money } = useNumbers();
  const fee = cents(terms.fee);
  const values = { most: money(most), fee: money(fee), limit: money(limitOf(terms, by)) };
  const isChanged = form.faultOf("amount") === REFUSED;
  return (
    <div className="grid justify-items-start gap-2 *:first:w-full">
      <MoneyField
        form={form}
        name="amount"
        label={t("amount")}
        help={most === 0 ? t("nothing") : t(by === "balance" && fee === 0 ? "most.balanceFree" : `most.${by}`, values)}
        fault={isChanged ? t("faults.changed") : t("faults.amount", values)}
      />
      {most > 0 && (
        <Button
          size="small"
          onClick={() => form.setValue("amount", most, { shouldValidate: form.formState.isSubmitted })}
        >
          {t("all", { amount: money(most) })}
        </Button>
      )}
    </div>
  );
}
