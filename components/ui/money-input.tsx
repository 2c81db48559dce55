"use client";
import { clsx } from "clsx";
import type { ChangeEvent, ClipboardEvent, ComponentProps } from "react";
import { Controller, type FieldValues, type Path } from "react-hook-form";
import type { ApiForm } from "@/components/api-form";
import { useNumbers } from "@/components/format";
import { control, Field } from "@/components/ui/field";
import { centsOfPasted } from "@/components/ui/pasted-amount";
import { MAX_DIGITS } from "@/lib/money";
import { plain } from "@/lib/typed/text";

type FieldProps<V extends FieldValues> = {
  form: Pick<ApiForm<V>, "control" | "faultOf">;
  /** The field's name; its value is in cents. */
  name: Path<V>;
  label: string;
  help?: string;
  fault: string;
};

/** An amount of money in a form. */
export function MoneyField<V extends FieldValues>({ form, name, label, help, fault }: FieldProps<V>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { ref, onBlur, value, onChange } }) => (
        <Field label={label} help={help} error={form.faultOf(name) && fault}>
          {(wiring) => <MoneyInput {...wiring} ref={ref} onBlur={onBlur} cents={value} onCents={onChange} />}
        </Field>
      )}
    />
  );
}

type Props = Omit<ComponentProps<"input">, "value" | "onChange"> & { cents: number; onCents: (cents: number) => void };

/** Money typed as on a card terminal: cents from the right. A pasted amount may be written in any way. */
function MoneyInput({ cents, onCents, className, ...props }: Props) {
  const { money } = useNumbers();
  function type({ target }: ChangeEvent<HTMLInputElement>) {
    const digits = plain(target.value).replace(/\D/g, "").replace(/^0+/, "");
    if (digits.length <= MAX_DIGITS) onCents(Number(digits)); // a digit more would push the first one out
  }
  function paste(event: ClipboardEvent) {
    const pasted = centsOfPasted(event.clipboardData.getData("text"));
    event.preventDefault();
    if (pasted !== undefined) onCents(pasted);
  }
  return (
    <div className="relative">
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3.5 flex items-center text-muted text-prose"
      >
        R$
      </span>
      <input
        {...props}
        inputMode="numeric"
        autoComplete="off"
        placeholder="0,00"
        value={cents === 0 ? "" : money(cents).replace(/R\$\s/, "")}
        onChange={type}
        onPaste={paste}
        className={clsx(control, "h-14 pl-11 font-semibold text-figure sm:text-figure", className)}
      />
    </div>
  );
}
