"use client";
import { type FieldValues, get, type Path } from "react-hook-form";
import { useTranslations } from "use-intl";
import type { ApiForm } from "@/components/api-form";
import { TextAreaField, TextField } from "@/components/ui/form";

type Props<V extends FieldValues> = { form: Pick<ApiForm<V>, "register" | "faultOf" | "formState"> };

export function NameField<V extends FieldValues>({ form }: Props<V>) {
  const t = useTranslations("credentials");
  return (
    <TextField
      form={form}
      name={"name" as Path<V>}
      label={t("name")}
      help={t("nameHelp")}
      fault={t("nameMissing")}
      maxLength={100}
    />
  );
}

/** The addresses of a credential, one a line. A fault of any of them is the field's. */
export function NetworksField<V extends FieldValues>({ form }: Props<V>) {
  const t = useTranslations("credentials");
  const name = "allowed_networks" as Path<V>;
  const faultOf = () => (get(form.formState.errors, name) ? "invalid" : undefined);
  return (
    <TextAreaField
      form={{ ...form, faultOf }}
      name={name}
      label={t("networks")}
      optional={t("optional")}
      help={t("networksHelp")}
      fault={t("networksFault")}
      maxLength={4_000}
    />
  );
}
