"use client";
import type { FieldValues, Path } from "react-hook-form";
import { useTranslations } from "use-intl";
import type { ApiForm } from "@/components/api-form";
import { TextField } from "@/components/ui/form";

type Props<V extends FieldValues> = { form: Pick<ApiForm<V>, "register" | "faultOf"> };

/** Where the page of a link or a plan leads back to. */
export function WayBackFields<V extends FieldValues & { return_url: string; cancel_url: string }>({ form }: Props<V>) {
  const t = useTranslations("wayBack");
  return (
    <>
      {(["return_url", "cancel_url"] as const).map((name) => (
        <TextField
          key={name}
          form={form}
          name={name as Path<V>}
          type="url"
          inputMode="url"
          label={t(`fields.${name}`)}
          optional={t("optional")}
          help={t(`fieldHelp.${name}`)}
          fault={t("fault")}
          maxLength={1_000}
        />
      ))}
    </>
  );
}
