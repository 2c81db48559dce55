"use client";
import type { QueryKey } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { cents, useDates, useNumbers } from "@/components/format";
import type { RefundableSale } from "@/components/refunds/effect";
import { type Asker, RefundEffects } from "@/components/refunds/effects";
import { reasons } from "@/components/refunds/words";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Dialog } from "@/components/ui/dialog";
import { ChoiceField, RadioField, TextAreaField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { MoneyField } from "@/components/ui/money-input";
import { toast } from "@/components/ui/toast";
import type { Awaiting } from "@/lib/approvals/schema";
import { decimal } from "@/lib/money";
import type { RefundBody, RefundBodySent } from "@/lib/refunds/schema";

type Reason = RefundBody["reason"];
type End = NonNullable<RefundBody["cancel_subscription"]>;

const nothingTyped = { reason: "" as Reason | "", reason_details: "", cancel_subscription: "" as End | "" };

type Values = typeof nothingTyped & { amount: number };

/** The schema says what is wrong with a reason that was not chosen. */
const bodyOf = ({ amount, reason, reason_details, cancel_subscription }: Values): RefundBodySent => ({
  ...{ amount: decimal(amount), reason: reason as Reason, reason_details },
  cancel_subscription: cancel_subscription || null,
});

/** Asks for a refund of a sale of the account. */
export function AskRefund({ sale, onClose }: { sale: RefundableSale; onClose: () => void }) {
  const api = useApi();
  return (
    <RefundForm
      sale={sale}
      by="seller"
      send={(body) => api.post<Answer>(`/api/partner/v1/transaction/${sale.transaction.reference_id}/refund`, body)}
      refresh={[api.account]}
      onClose={onClose}
    />
  );
}

/** The refund; or what a second person has to approve first, of which the staff's refunds have nothing. */
type Answer = Partial<Pick<Awaiting, "approval">>;

type Props = {
  sale: RefundableSale;
  /** Who asks. The staff says why in words that the seller reads. */
  by: Asker;
  send: (body: RefundBodySent) => Promise<Answer>;
  refresh: QueryKey;
  onClose: () => void;
};

const schemas = {
  seller: () => import("@/lib/refunds/schema").then(({ RefundBody }) => RefundBody),
  staff: () => import("@/lib/refunds/schema").then(({ RefundForSeller }) => RefundForSeller),
};

/** Asks for a refund of a sale, with every effect shown before it is sent. */
export function RefundForm({ sale, by, send, refresh, onClose }: Props) {
  const { money } = useNumbers();
  const t = useTranslations("refunds");
  const words = useTranslations(`refunds.by.${by}`);
  const left = cents(sale.refundable.left);
  const form = useApiForm<Values, RefundBodySent, Answer>({
    schema: schemas[by],
    defaultValues: { amount: left, ...nothingTyped },
    body: bodyOf,
    send,
    refresh,
    onSuccess({ approval }) {
      if (approval) return; // the dialog says that it waits
      toast(t("asked"));
      onClose();
    },
    fieldOf: { insufficient_balance: "amount" },
  });
  if (form.answer?.approval) return <Waits approval={form.answer.approval} onClose={onClose} />;
  const [amount, end] = form.watch(["amount", "cancel_subscription"]);
  const isPossible = amount > 0 && amount <= left;
  const isShort = form.faultOf("amount") === "insufficient_balance";
  return (
    <FormDialog
      form={form}
      title={t("askNamed", { amount: money(cents(sale.transaction.amount)) })}
      description={words("help")}
      action={t("ask")}
      onClose={onClose}
    >
      <MoneyField
        form={form}
        name="amount"
        label={t("amount")}
        fault={isShort ? words("short") : t("faults.amount", { left: money(left) })}
      />
      <ChoiceField
        form={form}
        name="reason"
        label={t("columns.reason")}
        none={t("chooseReason")}
        options={reasons.map((reason) => [reason, t(`reasons.${reason}`)] as const)}
        fault={t("faults.reason")}
      />
      <TextAreaField
        form={form}
        name="reason_details"
        label={t("details")}
        {...(by === "seller" && { optional: t("optional") })}
        help={words("details")}
        fault={t("faults.details")}
        maxLength={2_000}
      />
      {sale.related.subscription !== null && (
        <RadioField
          form={form}
          name="cancel_subscription"
          label={t("subscription.label")}
          options={(["", "now", "period_end"] as const).map(
            (end) => [end, t(`subscription.${end || "goes_on"}`)] as const,
          )}
        />
      )}
      <div aria-live="polite">
        {isPossible ? (
          <RefundEffects sale={sale} by={by} amount={amount} end={end || null} />
        ) : (
          <p className="text-muted">{t("effect.unknown", { left: money(left) })}</p>
        )}
      </div>
    </FormDialog>
  );
}

/** A refund above the account's limit waits for a second person. */
function Waits({ approval, onClose }: { approval: Awaiting["approval"]; onClose: () => void }) {
  const t = useTranslations("refunds.waits");
  const { until } = useDates();
  return (
    <Dialog title={t("title")} description={t("text", { until: until(approval.lapses_at) })} onClose={onClose}>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={onClose}>
          {t("close")}
        </Button>
        <ButtonLink href="/settings/approvals">{t("open")}</ButtonLink>
      </div>
    </Dialog>
  );
}
