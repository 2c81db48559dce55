"use client";
import type { QueryKey } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { TextAreaField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import type { RefusalBody } from "@/lib/reviews/schema";

type Props = {
  title: string;
  done: string;
  send: (body: RefusalBody) => Promise<unknown>;
  refresh: QueryKey;
  onClose: () => void;
};

/** Refuses what a seller sent, with a reason that the seller reads. */
export function Refusal({ title, done, send, refresh, onClose }: Props) {
  const t = useTranslations("operator.refusal");
  const form = useApiForm({
    schema: () => import("@/lib/reviews/schema").then(({ RefusalBody }) => RefusalBody),
    defaultValues: { reason: "" },
    ...{ send, refresh, done, onSuccess: onClose },
  });
  return (
    <FormDialog form={form} title={title} action={t("action")} onClose={onClose}>
      <TextAreaField
        form={form}
        name="reason"
        label={t("reason")}
        help={t("help")}
        fault={t("fault")}
        maxLength={500}
      />
    </FormDialog>
  );
}
