"use client";
import { clsx } from "clsx";
import type { ChangeEvent, ClipboardEvent, ComponentProps } from "react";
import { money } from "@/components/format";
import { control } from "@/components/ui/field";
import { centsOfPasted, MOST_DIGITS } from "@/components/ui/pasted-amount";

type Props = Omit<ComponentProps<"input">, "value" | "onChange"> & { cents: number; onCents: (cents: number) => void };

/** Money typed as on a card terminal: cents from the right. A pasted amount is understood however it was written. */
export function MoneyInput({ cents, onCents, className, ...props }: Props) {
  function type({ target }: ChangeEvent<HTMLInputElement>) {
    onCents(Number(target.value.replace(/\D/g, "").slice(-MOST_DIGITS)));
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
        value={cents === 0 ? "" : money(cents).replace("R$ ", "")}
        onChange={type}
        onPaste={paste}
        className={clsx(control, "h-14 pl-11 font-semibold text-figure sm:text-figure", className)}
      />
    </div>
  );
}
