"use client";
import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import type { FieldValues, Path } from "react-hook-form";
import type { ApiForm } from "@/components/api-form";
import { Button } from "@/components/ui/button";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Failure } from "@/components/ui/state";

type Sent = Pick<ApiForm, "submit" | "busy" | "failure">;

/** A form with its fields above one another, sent by its `Submit`. */
export function Form({ form, className, children }: { form: Sent; className?: string; children: ReactNode }) {
  return (
    <form noValidate method="post" onSubmit={form.submit} className={clsx("grid gap-5", className)}>
      {children}
    </form>
  );
}

type SubmitProps = Omit<ComponentProps<typeof Button>, "form"> & { form: Sent; busyText?: string };

/** The failure that belongs to no field, and the button that sends the form. */
export function Submit({ form: { busy, failure }, busyText, className, children, ...props }: SubmitProps) {
  return (
    <>
      {failure && <Failure error={failure} />}
      <Button
        look="primary"
        {...props}
        type="submit"
        busy={busy}
        className={clsx("justify-self-start max-sm:w-full", className)}
      >
        {busy ? (busyText ?? children) : children}
      </Button>
    </>
  );
}

type TextProps<V extends FieldValues> = Omit<ComponentProps<"input">, "form" | "name"> & {
  form: Pick<ApiForm<V>, "register" | "faultOf">;
  name: Path<V>;
  label: ReactNode;
  help?: ReactNode;
  /** The text of the field's fault. */
  fault?: string;
  optional?: string;
};

/** One line of text. */
export function TextField<V extends FieldValues>({ form, name, label, help, fault, optional, ...input }: TextProps<V>) {
  return (
    <Field label={label} help={help} error={form.faultOf(name) && fault} {...(optional !== undefined && { optional })}>
      {(wiring) => <Input autoComplete="off" {...input} {...wiring} {...form.register(name)} />}
    </Field>
  );
}

type LinesProps<V extends FieldValues> = Pick<
  TextProps<V>,
  "form" | "name" | "label" | "help" | "fault" | "optional"
> & {
  maxLength: number;
};

/** Text of several lines. */
export function TextAreaField<V extends FieldValues>({
  form,
  name,
  label,
  help,
  fault,
  optional,
  maxLength,
}: LinesProps<V>) {
  return (
    <Field label={label} help={help} error={form.faultOf(name) && fault} {...(optional !== undefined && { optional })}>
      {(wiring) => <TextArea maxLength={maxLength} {...wiring} {...form.register(name)} />}
    </Field>
  );
}

type ChoiceProps<V extends FieldValues> = Pick<TextProps<V>, "form" | "name" | "label" | "fault"> & {
  /** The text of no choice, which is refused. */
  none: string;
  options: readonly (readonly [value: string, text: string])[];
};

/** One of a few values, which must be chosen. */
export function ChoiceField<V extends FieldValues>({ form, name, label, fault, none, options }: ChoiceProps<V>) {
  return (
    <Field label={label} error={form.faultOf(name) && fault}>
      {(wiring) => (
        <Select {...wiring} {...form.register(name)}>
          <option value="">{none}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type RadioProps<V extends FieldValues> = Pick<ChoiceProps<V>, "name" | "label" | "options"> & {
  form: Pick<ApiForm<V>, "register">;
};

/** One of a few values that are all shown, of which one is chosen from the start. */
export function RadioField<V extends FieldValues>({ form, name, label, options }: RadioProps<V>) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">{label}</legend>
      {options.map(([value, text]) => (
        <label key={value} className="flex items-center gap-3">
          <input type="radio" value={value} {...form.register(name)} className="size-4 shrink-0 accent-accent" />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

type CheckOptionProps = Omit<ComponentProps<"input">, "type" | "className"> & { label: ReactNode; help: ReactNode };

/** One box of several that may be ticked, with what it means. */
export const CheckOption = ({ label, help, ...input }: CheckOptionProps) => (
  <label className="flex items-start gap-3">
    <input type="checkbox" className="mt-1 size-4 accent-accent" {...input} />
    <span className="grid">
      <span className="font-medium">{label}</span>
      <span className="text-caption text-muted">{help}</span>
    </span>
  </label>
);
