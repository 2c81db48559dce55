"use client";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { cents, useNumbers } from "@/components/format";
import { adjustBalance, SELLERS, type SellerDetail } from "@/components/operator/queries";
import { RadioField, TextAreaField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { Money } from "@/components/ui/money";
import { MoneyField } from "@/components/ui/money-input";
import { SumTable } from "@/components/ui/sum-table";
import type { AdjustmentBodySent } from "@/lib/adjustments/schema";
import { MAX_ADJUSTMENT, MAX_ADJUSTMENT_REASON } from "@/lib/limits";
import { decimal } from "@/lib/money";

type Direction = AdjustmentBodySent["direction"];
const nothingTyped = { direction: "credit" as Direction, amount: 0, reason: "" };
type Values = typeof nothingTyped;

/** Credits or debits a seller's available balance, with what it comes to shown before it is sent. */
export function Adjust({ seller, onClose }: { seller: SellerDetail; onClose: () => void }) {
  const { money } = useNumbers();
  const t = useTranslations("operator.adjust");
  const form = useApiForm({
    schema: () => import("@/lib/adjustments/schema").then(({ AdjustmentBody }) => AdjustmentBody),
    defaultValues: nothingTyped as Values,
    body: ({ amount, ...values }): AdjustmentBodySent => ({ ...values, amount: decimal(amount) }),
    send: (body) => adjustBalance(seller.id, body),
    refresh: SELLERS,
    done: t("done"),
    onSuccess: onClose,
    fieldOf: { insufficient_balance: "amount" },
  });
  const [direction, amount] = form.watch(["direction", "amount"]);
  const limit = money(MAX_ADJUSTMENT);
  const isPossible = amount > 0 && amount <= MAX_ADJUSTMENT;
  const isShort = form.faultOf("amount") === "insufficient_balance";
  return (
    <FormDialog
      form={form}
      title={t("named", { name: seller.name })}
      description={t("help")}
      action={isPossible ? t(`${direction}_now`, { amount: money(amount) }) : t("now")}
      onClose={onClose}
    >
      <RadioField
        form={form}
        name="direction"
        label={t("direction")}
        options={(["credit", "debit"] as const).map((direction) => [direction, t(direction)] as const)}
      />
      <MoneyField
        form={form}
        name="amount"
        label={t("amount")}
        fault={isShort ? t("faults.balance") : t("faults.amount", { limit })}
      />
      <TextAreaField
        form={form}
        name="reason"
        label={t("reason")}
        help={t("reasonHelp")}
        fault={t("faults.reason")}
        maxLength={MAX_ADJUSTMENT_REASON}
      />
      <div aria-live="polite">
        {isPossible ? (
          <Effect before={cents(seller.balance.balance)} direction={direction} amount={amount} />
        ) : (
          <p className="text-muted">{t("effect.unknown", { limit })}</p>
        )}
      </div>
    </FormDialog>
  );
}

function Effect({ before, direction, amount }: { before: number; direction: Direction; amount: number }) {
  const t = useTranslations("operator.adjust.effect");
  const change = direction === "credit" ? amount : -amount;
  return (
    <div className="grid gap-3 rounded-card border bg-ground px-4 py-3">
      <SumTable
        caption={t("title")}
        lines={[
          [t("before"), <Money key="before" cents={before} />],
          [t(direction), <Money key="change" cents={change} />],
        ]}
        sum={[t("after"), <Money key="after" cents={before + change} />]}
      />
      <p className="text-caption text-muted">{t("undo")}</p>
    </div>
  );
}
