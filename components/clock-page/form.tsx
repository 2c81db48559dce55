"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { dayOf } from "@/components/format";
import { Field, Select } from "@/components/ui/field";
import { Form, Submit, TextField } from "@/components/ui/form";
import type { Advanced } from "@/lib/sandbox/schema";
import { DAY_MS, startOfDay } from "@/lib/time/calendar";
import { plain } from "@/lib/typed/text";

const schema = () => import("@/lib/sandbox/schema").then(({ AdvanceBody }) => AdvanceBody);

type Values = { by: "days" | "to"; days: string; to: string };
type Props = {
  now: string;
  isRunning: boolean;
  onAsk: (isAsked: boolean) => void;
  onAdvance: (advance: Advanced) => void;
};

/** Moves the clock ahead, by days or to the beginning of a day. */
export function AdvanceForm({ now, isRunning, onAsk, onAdvance }: Props) {
  const t = useTranslations("clock");
  const api = useApi();
  const tomorrow = dayOf(new Date(Date.parse(now) + DAY_MS));
  const form = useApiForm({
    schema,
    defaultValues: { by: "days", days: "30", to: tomorrow } as Values,
    body: ({ by, days, to }) =>
      by === "days" ? { days: Number(plain(days)) } : { to: to ? startOfDay(to).toISOString() : "" },
    async send(body) {
      onAsk(true);
      return api.post<Advanced>("/api/partner/v1/sandbox/clock/advance", body).finally(() => onAsk(false));
    },
    refresh: [api.account, "clock"],
    onSuccess: onAdvance,
  });
  const by = form.watch("by");
  return (
    <Form form={form} className="border-t pt-6">
      <Field label={t("by")}>
        {(wiring) => (
          <Select {...wiring} {...form.register("by")}>
            <option value="days">{t("byDays")}</option>
            <option value="to">{t("byDate")}</option>
          </Select>
        )}
      </Field>
      {by === "days" ? (
        <TextField
          key="days"
          form={form}
          name="days"
          label={t("days")}
          help={t("help")}
          fault={t("faults.days")}
          inputMode="numeric"
          maxLength={4}
        />
      ) : (
        <TextField
          key="to"
          form={form}
          name="to"
          label={t("date")}
          help={t("help")}
          fault={t("faults.to")}
          type="date"
          min={tomorrow}
        />
      )}
      <Submit form={{ ...form, busy: form.busy || isRunning }} busyText={t("advancing")}>
        {t("advance")}
      </Submit>
    </Form>
  );
}
