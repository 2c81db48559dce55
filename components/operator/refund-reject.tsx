"use client";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { cents, useNumbers } from "@/components/format";
import { REVIEWS, type Review, rejectRefund } from "@/components/operator/refund-queries";
import { categories } from "@/components/refunds/words";
import { ChoiceField, TextAreaField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import type { RejectBody } from "@/lib/refunds/schema";

type Category = RejectBody["category"];

/** Refuses a refund with a category and a reason, which the seller reads. */
export function Reject({ review, onClose }: { review: Review; onClose: () => void }) {
  const { money } = useNumbers();
  const t = useTranslations("reviews.reject");
  const words = useTranslations("refunds.categories");
  const { account, refund } = review;
  const form = useApiForm({
    schema: () => import("@/lib/refunds/schema").then(({ RejectBody }) => RejectBody),
    defaultValues: { category: "" as Category | "", reason: "" },
    // The schema says what is wrong with a category that was not chosen.
    body: ({ category, reason }) => ({ category: category as Category, reason }),
    send: (body) => rejectRefund(review, body),
    refresh: REVIEWS,
    done: t("done"),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t("title", { amount: money(cents(refund.amount)), name: account.name })}
      description={t("help", { amount: money(cents(refund.total)) })}
      action={t("action")}
      onClose={onClose}
    >
      <ChoiceField
        form={form}
        name="category"
        label={t("category")}
        none={t("choose")}
        options={categories.map((category) => [category, words(category)] as const)}
        fault={t("faults.category")}
      />
      <TextAreaField
        form={form}
        name="reason"
        label={t("reason")}
        help={t("reasonHelp")}
        fault={t("faults.reason")}
        maxLength={2_000}
      />
    </FormDialog>
  );
}
