"use client";
import { useTranslations } from "use-intl";
import type { ApiForm } from "@/components/api-form";
import type { DepositValues } from "@/components/deposits/values";
import { TextField } from "@/components/ui/form";
import { phoneOf } from "@/lib/typed/phones";

const fields = [
  { name: "client.name", text: "name", type: "text", inputMode: "text" },
  { name: "client.cpf", text: "document", type: "text", inputMode: "text" },
  { name: "client.email", text: "email", type: "email", inputMode: "email" },
  { name: "client.phone", text: "phone", type: "tel", inputMode: "tel" },
] as const;

/** The payer's data, which are optional and shown on request. Numbers may be pasted with punctuation. */
export function ClientFields({ form }: { form: ApiForm<DepositValues> }) {
  const t = useTranslations("deposits");
  const open = form.watch("withClient");
  const typed = phoneOf(form.watch("client.phone"));
  const phoneFault = "fault" in typed && typed.fault !== "form" ? t(`phoneFaults.${typed.fault}`) : t("faults.phone");
  return (
    <fieldset className="grid gap-5">
      <legend className="contents">
        <label className="flex items-center gap-3 font-medium">
          <input type="checkbox" {...form.register("withClient")} aria-expanded={open} className="size-4" />
          {t("withClient")}
        </label>
      </legend>
      {open && (
        <div className="enter grid gap-5 sm:grid-cols-2">
          {fields.map(({ text, ...field }) => (
            <TextField
              key={text}
              form={form}
              {...field}
              label={t(text)}
              fault={text === "phone" ? phoneFault : t(`faults.${text}`)}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
