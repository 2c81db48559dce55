"use client";
import type { UseFormReturn } from "react-hook-form";
import { useTranslations } from "use-intl";
import type { ChargeValues } from "@/components/charges/values";
import { Field, Input } from "@/components/ui/field";

const fields = [
  { name: "name", type: "text", autoComplete: "off", inputMode: "text" },
  { name: "document", type: "text", autoComplete: "off", inputMode: "text" },
  { name: "email", type: "email", autoComplete: "off", inputMode: "email" },
  { name: "phone", type: "tel", autoComplete: "off", inputMode: "tel" },
] as const;

/** Who will pay, if known. Asked for only when wanted; numbers may be pasted as they are written. */
export function ClientFields({ form }: { form: UseFormReturn<ChargeValues> }) {
  const t = useTranslations("charges");
  const open = form.watch("withClient");
  const faults = form.formState.errors;
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
          {fields.map(({ name, ...kind }) => (
            <Field key={name} label={t(name)} error={faults[name] && t(`faults.${name}`)}>
              {(wiring) => <Input {...wiring} {...kind} {...form.register(name)} />}
            </Field>
          ))}
        </div>
      )}
    </fieldset>
  );
}
