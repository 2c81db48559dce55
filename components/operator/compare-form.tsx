"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { useNow } from "@/components/clock";
import { compareDays, comparisonsQuery, DIFFERENCES } from "@/components/operator/difference-queries";
import { ChoiceField, TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { MAX_DAYS } from "@/lib/differences/schema";
import { lastDays } from "@/lib/time/calendar";

/** Compares days with a PSP on demand. */
export function CompareForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations("differences.compare");
  const { data } = useQuery(comparisonsQuery);
  const providers = data?.meta.providers ?? [];
  const [yesterday = "", today = ""] = lastDays(new Date(useNow()), 2);
  const form = useApiForm({
    schema: () => import("@/lib/differences/schema").then(({ CompareBody }) => CompareBody),
    defaultValues: { provider: "", from: yesterday, to: yesterday },
    send: compareDays,
    ...{ refresh: DIFFERENCES, done: t("done"), onSuccess: onClose },
  });
  return (
    <FormDialog form={form} title={t("title")} description={t("help")} action={t("action")} onClose={onClose}>
      <ChoiceField
        form={form}
        name="provider"
        label={t("provider")}
        fault={t("faults.provider")}
        none={t("none")}
        options={providers.map(({ name, title }) => [name, title] as const)}
      />
      <TextField form={form} name="from" type="date" max={today} label={t("from")} fault={t("faults.from")} />
      <TextField
        form={form}
        name="to"
        type="date"
        max={today}
        label={t("to")}
        fault={t("faults.to", { days: MAX_DAYS })}
      />
    </FormDialog>
  );
}
