"use client";
import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { useFieldArray } from "react-hook-form";
import { useTranslations } from "use-intl";
import type { ApiForm } from "@/components/api-form";
import type { PlanValues } from "@/components/plans/values";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form";
import { limits } from "@/lib/limits";

/** Whom to invite to a part of each sale of a new plan. */
export function SplitFields({ form }: { form: Pick<ApiForm<PlanValues>, "control" | "register" | "faultOf"> }) {
  const t = useTranslations("plans.splits");
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "splits" });
  const add = useRef<HTMLButtonElement>(null);
  function drop(place: number) {
    remove(place);
    add.current?.focus(); // the button that had the focus is gone
  }
  return (
    <fieldset className="grid gap-3 max-sm:gap-5">
      <legend className="mb-1.5 font-medium">{t("title")}</legend>
      <p className="text-caption text-muted">{t("help")}</p>
      {fields.map(({ id }, place) => (
        <div
          key={id}
          className="grid grid-cols-[minmax(0,1fr)_112px_36px] items-start gap-2 max-sm:grid-cols-[minmax(0,1fr)_44px]"
        >
          <div className="max-sm:col-span-2">
            <TextField
              form={form}
              name={`splits.${place}.email`}
              label={t("email")}
              fault={t("faults.email")}
              type="email"
              inputMode="email"
            />
          </div>
          <TextField
            form={form}
            name={`splits.${place}.percentage`}
            label={t("percentage")}
            fault={t("faults.percentage")}
            inputMode="decimal"
            placeholder="12,5"
          />
          <Button
            look="quiet"
            size="icon"
            className="mt-[26px] !size-9 max-sm:!size-11"
            aria-label={t("remove", { place: String(place + 1) })}
            onClick={() => drop(place)}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      {fields.length < limits.splits && (
        <Button
          ref={add}
          size="small"
          className="justify-self-start"
          onClick={() => append({ email: "", percentage: "" })}
        >
          <Plus aria-hidden="true" />
          {t("add")}
        </Button>
      )}
    </fieldset>
  );
}
