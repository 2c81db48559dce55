"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { isApiError } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { cents, documentNumber, useNumbers } from "@/components/format";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Form, Submit } from "@/components/ui/form";
import { useAccountPath } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { SumTable } from "@/components/ui/sum-table";
import type { Checked } from "@/components/withdrawals/form";
import { keyText } from "@/components/withdrawals/key";
import type { WithdrawalTerms } from "@/lib/withdrawals/schema";

/** What the API may refuse of the form's fields. */
const fields = ["pix_key", "document.number", "amount"] as const;
type Field = (typeof fields)[number];

function fieldIn(error: unknown): Field | undefined {
  if (!isApiError(error)) return undefined;
  const isOfAmount = ["insufficient_balance", "withdrawal_limit_exceeded"].includes(error.code ?? "");
  return isOfAmount ? "amount" : fields.find((field) => error.errors?.[field]);
}

type Props = Checked & {
  terms: WithdrawalTerms;
  /** The form's field that the API refuses, which the person then changes. */
  onRefused: (field: Field) => void;
  onClose: () => void;
};

/** Shows whose the key is and what leaves, and sends the money. */
export function ConfirmWithdrawal({ body, owner, terms, onRefused, onClose }: Props) {
  const t = useTranslations("withdrawals");
  const { money } = useNumbers();
  const api = useApi();
  const to = useAccountPath();
  const router = useRouter();
  const form = useApiForm({
    schema: () => import("@/lib/withdrawals/schema").then(({ CashOutBody }) => CashOutBody),
    defaultValues: {},
    body: () => body,
    send: () =>
      api.post<{ reference_id: string }>("/api/partner/v1/cash-out", body).catch((error: unknown) => {
        const field = fieldIn(error);
        if (field) onRefused(field);
        throw error;
      }),
    refresh: [api.account],
    onSuccess: ({ reference_id }) => router.push(to(`/withdrawals/${reference_id}`)),
    leaves: true,
  });
  const [amount, fee] = [cents(body.amount as string), cents(terms.fee)];
  const { approval_above: above } = terms;
  return (
    <Dialog title={t("confirm.title")} onClose={onClose}>
      <Form form={form}>
        <div className="grid gap-0.5">
          <p className="text-caption text-muted">{t("confirm.owner")}</p>
          {owner.name ? (
            <>
              <p className="wrap-anywhere font-semibold text-title">{owner.name}</p>
              <p className="wrap-anywhere text-muted tabular-nums">{owner.document}</p>
            </>
          ) : (
            <>
              <p className="text-muted">{t("confirm.untold")}</p>
              <p className="mt-2 wrap-anywhere font-semibold tabular-nums">{documentNumber(body.document.number)}</p>
            </>
          )}
          <p className="wrap-anywhere text-muted">
            {t(`keyTypes.${owner.type}`)} {keyText(owner)}
          </p>
        </div>
        <SumTable
          caption={t("cost")}
          lines={[
            [t("confirm.amount"), <Money key="amount" cents={amount} />],
            [t("confirm.fee"), <Money key="fee" cents={fee} />],
          ]}
          sum={[t("confirm.total"), <Money key="total" cents={amount + fee} />]}
        />
        <ul className="grid list-disc gap-1 pl-4 text-caption text-muted">
          {above !== null && amount > cents(above) && (
            <li className="font-medium text-ink">{t("confirm.second", { limit: money(cents(above)) })}</li>
          )}
          <li>{t("confirm.final")}</li>
        </ul>
        <div className="flex flex-wrap gap-2">
          <Submit form={form}>{t("confirm.send", { amount: money(amount) })}</Submit>
          <Button onClick={onClose} disabled={form.busy}>
            {t("confirm.back")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
